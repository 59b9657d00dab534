import Type from 'typebox'
import { Ghs } from '../../money/ghs.ts'
import type { Db } from '../../platform/database/database.ts'
import { Envelope, ok } from '../../platform/http/envelope.ts'
import type { Api } from '../../platform/http/route-types.ts'
import { Nullable, Uuid } from '../../platform/http/schemas.ts'
import { listSpending, setSpendingLimit } from './spending-limits.ts'

const Spending = Type.Object(
  {
    members: Type.Array(
      Type.Object(
        {
          personId: Uuid({ description: 'As the team lists it.' }),
          limitPesewas: Nullable(Ghs({ description: 'What the member may spend on a day, in GHS; null: no limit.' })),
          leftPesewas: Nullable(Ghs({ description: 'What is left of it today.' })),
          ordersToday: Type.Integer(),
          boughtTodayPesewas: Ghs({ description: 'What the member bought in the app today, in GHS.' }),
        },
        { title: 'MemberSpending' },
      ),
      { description: 'Members with a limit, and those who bought something today.' },
    ),
  },
  { title: 'Spending' },
)
const LimitBody = Type.Object({
  perDayPesewas: Nullable(Ghs({ minimum: 0, description: 'In GHS; null takes the limit away.' })),
})
const MemberPath = Type.Object({ personId: Uuid({ description: 'As the team lists it.' }) })

type SpendingDeps = {
  readonly db: Db
  /** @throws RefusalError 404 when the person is no member of the account */
  readonly mustBeMember: (accountId: string, personId: string) => Promise<void>
}

const tags = ['Team']

/** Shows and sets the spending limits of members. The intake and the purchase of SMS credits enforce them. */
export function registerSpendingRoutes(api: Api, { db, mustBeMember }: SpendingDeps): void {
  api.get(
    '/spending',
    {
      config: { permission: 'manage_members' },
      schema: {
        operationId: 'listSpending',
        tags,
        summary: 'What each member bought today, and may still spend',
        response: { 200: Envelope(Spending) },
      },
    },
    async ({ membership }) => ok({ members: [...(await listSpending(db, membership.accountId))] }),
  )
  api.put(
    '/spending/:person_id',
    {
      config: { permission: 'manage_members', isConfirmationNeeded: true, refusals: [404] },
      schema: {
        operationId: 'setSpendingLimit',
        tags,
        summary: 'Limit what a member may spend on a day',
        description:
          'A day in Accra. Purchases over the limit are refused with 403 `spending_limit`; refunds give nothing back to it.',
        params: MemberPath,
        body: LimitBody,
        response: { 200: Envelope(Spending) },
      },
    },
    async ({ membership: { accountId }, params: { personId }, body: { perDayPesewas }, person }) => {
      await mustBeMember(accountId, personId)
      await setSpendingLimit(db, { accountId, personId }, { perDayPesewas, setBy: person.email })
      return ok({ members: [...(await listSpending(db, accountId))] })
    },
  )
}

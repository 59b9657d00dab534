import Type from 'typebox'
import { Ghs } from '../../money/ghs.ts'
import { pesewas } from '../../money/pesewas.ts'
import { chooseBalanceFloor, findBalanceFloor } from '../../money/top-ups/balance-floors.ts'
import type { Gateways } from '../../money/top-ups/payment-gateway.ts'
import { topUpRefusals } from '../../money/top-ups/top-ups.refusals.ts'
import { readTopUpTerms } from '../../money/top-ups/top-ups.settings.ts'
import type { Db } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { Envelope, ok } from '../../platform/http/envelope.ts'
import { RefusalError } from '../../platform/http/refusals.ts'
import type { Api } from '../../platform/http/route-types.ts'
import { GhsAmount, Nullable } from '../../platform/http/schemas.ts'
import type { Settings } from '../../platform/settings/settings.ts'
import { floorRestHours } from './request-floor-top-ups.ts'

type Deps = { readonly db: Db; readonly settings: Settings; readonly gateways: Gateways }

const tags = ['Top-up']

const floorFields = {
  floorPesewas: Ghs(
    GhsAmount({ maximum: 1_000_000, description: 'Below this balance the phone is asked, in GHS.', examples: [20] }),
  ),
  amountPesewas: Ghs(
    GhsAmount({ maximum: 1_000_000, description: 'What the wallet gets, in GHS; the fee is added.', examples: [100] }),
  ),
  phone: Type.String({ pattern: '^0[0-9]{9}$', description: 'The number that is asked to pay.', examples: ['0241234567'] }),
  mostPerDay: Type.Integer({ minimum: 1, maximum: 10, description: 'How often it is asked in a day.' }),
}
const FloorBody = Type.Object(floorFields)
const FloorView = Type.Object(
  {
    isOffered: Type.Boolean({ description: 'Whether a gateway is open that asks on the phone.' }),
    restHours: Type.Integer({ description: 'How long nobody is asked after a request was declined or not answered.' }),
    smallestPesewas: Ghs({ description: 'The smallest top-up, in GHS.' }),
    largestPesewas: Ghs({ description: 'The largest top-up, in GHS.' }),
    floor: Nullable(Type.Object({ ...floorFields, chosenBy: Type.String({ description: 'The e-mail of the owner.' }) })),
  },
  { title: 'BalanceFloor' },
)

async function viewFloor({ db, settings, gateways }: Deps, accountId: string) {
  const [floor, terms, offered] = await Promise.all([findBalanceFloor(db, accountId), readTopUpTerms(settings), gateways.offer()])
  return {
    isOffered: offered.some(({ kind }) => kind === 'prompt'),
    restHours: floorRestHours,
    smallestPesewas: terms.smallest,
    largestPesewas: terms.largest,
    floor: floor ?? null,
  }
}

export function registerBalanceFloorRoutes(app: Api, deps: Deps): void {
  const { db, settings } = deps
  app.get(
    '/balance-floor',
    {
      config: { permission: 'look' },
      schema: {
        operationId: 'readBalanceFloor',
        tags,
        summary: 'The balance below which a phone is asked for a top-up',
        response: { 200: Envelope(FloorView) },
      },
    },
    async ({ membership: { accountId } }) => ok(await viewFloor(deps, accountId)),
  )
  app.put(
    '/balance-floor',
    {
      config: { permission: 'manage_account', isConfirmationNeeded: true, refusals: [400] },
      schema: {
        operationId: 'chooseBalanceFloor',
        tags,
        summary: 'Have a phone asked for a top-up when the balance is low',
        description: 'Nobody is asked while a top-up of the account is open, nor for some hours after one was declined.',
        body: FloorBody,
        response: { 200: Envelope(FloorView) },
      },
    },
    async ({ body, person, membership: { accountId } }) => {
      const { smallest, largest } = await readTopUpTerms(settings)
      const { phone, mostPerDay } = body
      const [floorPesewas, amountPesewas] = [pesewas(body.floorPesewas), pesewas(body.amountPesewas)]
      if (amountPesewas < smallest || amountPesewas > largest) {
        throw new RefusalError(topUpRefusals.amountOutside(smallest, largest))
      }
      const floor = { floorPesewas, amountPesewas, phone, mostPerDay, chosenBy: person.email }
      await inTransaction(db, (tx) => chooseBalanceFloor(tx, { accountId, actor: `person:${person.email}`, floor }))
      return ok(await viewFloor(deps, accountId))
    },
  )
  app.delete(
    '/balance-floor',
    {
      config: { permission: 'manage_account' },
      schema: {
        operationId: 'dropBalanceFloor',
        tags,
        summary: 'Ask no phone any more',
        response: { 200: Envelope(FloorView) },
      },
    },
    async ({ person, membership: { accountId } }) => {
      const actor = `person:${person.email}`
      await inTransaction(db, (tx) => chooseBalanceFloor(tx, { accountId, actor, floor: undefined }))
      return ok(await viewFloor(deps, accountId))
    },
  )
}

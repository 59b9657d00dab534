import { inTransaction } from '../../platform/database/in-transaction.ts'
import { Envelope, ok } from '../../platform/http/envelope.ts'
import type { Api } from '../../platform/http/route-types.ts'
import { ReasonBody } from '../../platform/http/schemas.ts'
import { Accepted, accepted } from '../people.schemas.ts'
import type { PeopleDeps } from '../people-deps.ts'
import { endView, startView } from '../views/view-as-reseller.ts'
import { AccountPath, ViewStarted } from './account-desk.schemas.ts'

const tags = ['Accounts']

/** These routes are not operations, because operations do not know the session of the person who asks, which a view needs. */
export function registerViewRoutes(desk: Api, { db }: PeopleDeps): void {
  desk.post(
    '/accounts/:account_id/view',
    {
      config: { permission: 'manage_accounts', isConfirmationNeeded: true, refusals: [409] },
      schema: {
        operationId: 'deskStartView',
        tags,
        summary: 'See the app as an account’s reseller sees it',
        description:
          'For some minutes, in this session alone, and reading only: every other request under `/app/api` is answered 403. Beginning and end stand in the operator’s log.',
        params: AccountPath,
        body: ReasonBody,
        response: { 200: Envelope(ViewStarted) },
      },
    },
    async ({ params, body: { reason }, person }) => {
      const view = { viewer: person, accountId: params.accountId, reason }
      const { endsAt } = await inTransaction(db, (tx) => startView(tx, view))
      return ok({ endsAt })
    },
  )
  desk.post(
    '/view/end',
    {
      config: { permission: 'person' },
      schema: {
        operationId: 'deskEndView',
        tags,
        summary: 'End the view of an account in this session, if there is one',
        response: { 200: Envelope(Accepted) },
      },
    },
    async ({ person }) => {
      await endView(db, person)
      return ok(accepted)
    },
  )
}

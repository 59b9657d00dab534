import Type from 'typebox'
import type { Db } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import type { Api } from '../../platform/http/api.ts'
import { Envelope, ok } from '../../platform/http/envelope.ts'
import { ReasonBody } from '../../platform/http/given-reason.ts'
import { RefusalError, refuse } from '../../platform/http/refusals.ts'
import { Moment, Nullable, OneOf, Uuid } from '../../platform/http/schemas.ts'
import { AccountError } from '../account-error.ts'
import { declineBusinessRequest } from '../business/decide-business-request.ts'
import { type BusinessRequest, listBusinessRequestPage, readBusinessRequest } from '../business/request-business-approval.ts'
import { setBusinessApproval } from '../set-business-approval.ts'

const RequestPath = Type.Object({ request_id: Uuid({ description: 'As the list gives it.' }) })

const RequestQuery = Type.Object({
  state: OneOf(['waiting', 'decided'], { default: 'waiting' }),
  after: Type.Optional(Uuid({ description: 'The `next` of the page before.' })),
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
})

const BusinessRequestView = Type.Object(
  {
    request_id: Uuid(),
    account_id: Uuid(),
    email: Type.String({ description: 'The account’s.' }),
    name: Type.String({ description: 'As the business is registered.' }),
    registration_number: Type.String(),
    purpose: Type.String({ description: 'What the SMS are for.' }),
    state: OneOf(['waiting', 'approved', 'declined']),
    reason: Nullable(Type.String({ description: 'Why it was declined.' })),
    asked_at: Moment(),
    decided_at: Nullable(Moment()),
    decided_by: Nullable(Type.String()),
  },
  { title: 'DeskBusinessRequest' },
)

const RequestPage = Type.Object(
  { requests: Type.Array(BusinessRequestView), next: Nullable(Uuid()) },
  { title: 'DeskBusinessRequestPage' },
)

const requestNotFound = refuse(404, 'request_not_found', 'There is no such request.')

const tags = ['Business approvals']

const viewRequest = (request: BusinessRequest) => ({
  request_id: request.requestId,
  account_id: request.accountId,
  email: request.email,
  name: request.name,
  registration_number: request.registrationNumber,
  purpose: request.purpose,
  state: request.state,
  reason: request.reason,
  asked_at: request.askedAt.toISOString(),
  decided_at: request.decidedAt?.toISOString() ?? null,
  decided_by: request.decidedBy,
})

async function readKnown(db: Db, requestId: string): Promise<BusinessRequest> {
  const request = await readBusinessRequest(db, requestId)
  if (!request) throw new RefusalError(requestNotFound)
  return request
}

/** @throws RefusalError 404, AccountError when the request is decided already */
async function readWaiting(db: Db, requestId: string): Promise<BusinessRequest> {
  const request = await readKnown(db, requestId)
  if (request.state !== 'waiting') throw new AccountError(`This request was ${request.state} already.`)
  return request
}

function registerRequestDecisions(desk: Api, db: Db): void {
  desk.post(
    '/business/:request_id/approve',
    {
      config: { permission: 'manage_accounts', isConfirmationNeeded: true, refusals: [404, 409] },
      schema: {
        operationId: 'deskApproveBusiness',
        tags,
        summary: 'Approve an account as a business, so that it may send SMS',
        params: RequestPath,
        response: { 200: Envelope(BusinessRequestView) },
      },
    },
    async ({ staff: { actor, mustNotOwn }, params: { request_id: id } }) => {
      const { accountId } = await readWaiting(db, id)
      mustNotOwn(accountId)
      await inTransaction(db, (tx) => setBusinessApproval(tx, { accountId, isBusiness: true, actor }))
      return ok(viewRequest(await readKnown(db, id)))
    },
  )
  desk.post(
    '/business/:request_id/decline',
    {
      config: { permission: 'manage_accounts', refusals: [404, 409] },
      schema: {
        operationId: 'deskDeclineBusiness',
        tags,
        summary: 'Decline the request of an account to be approved as a business; the account gets a notice with the reason',
        params: RequestPath,
        body: ReasonBody,
        response: { 200: Envelope(BusinessRequestView) },
      },
    },
    async ({ staff: { actor }, params: { request_id: id }, body: { reason } }) => {
      const { accountId } = await readWaiting(db, id)
      await inTransaction(db, (tx) => declineBusinessRequest(tx, { accountId, reason, actor }))
      return ok(viewRequest(await readKnown(db, id)))
    },
  )
}

export function registerBusinessDeskRoutes(desk: Api, { db }: { readonly db: Db }): void {
  desk.get(
    '/business',
    {
      config: { permission: 'see' },
      schema: {
        operationId: 'deskListBusinessRequests',
        tags,
        summary: 'Who asks to be approved as a business, oldest first; or what was decided, newest first',
        querystring: RequestQuery,
        response: { 200: Envelope(RequestPage) },
      },
    },
    async ({ query: { state, after, limit } }) => {
      // One more than a page, to learn whether there is a next page.
      const rows = await listBusinessRequestPage(db, { isWaiting: state === 'waiting', after, limit: limit + 1 })
      const requests = rows.slice(0, limit).map(viewRequest)
      return ok({ requests, next: rows.length > limit ? (requests.at(-1)?.request_id ?? null) : null })
    },
  )
  desk.get(
    '/business/:request_id',
    {
      config: { permission: 'see', refusals: [404] },
      schema: {
        operationId: 'deskReadBusinessRequest',
        tags,
        summary: 'One request to be approved as a business',
        params: RequestPath,
        response: { 200: Envelope(BusinessRequestView) },
      },
    },
    async ({ params }) => ok(viewRequest(await readKnown(db, params.request_id))),
  )
  registerRequestDecisions(desk, db)
}

import Type from 'typebox'
import type { Db } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { RefusalError, refuse } from '../../platform/http/refusals.ts'
import { GivenReason, Nullable, OneOf, Uuid } from '../../platform/http/schemas.ts'
import { Timestamp } from '../../platform/operations/fields.ts'
import { type Actor, type OperationDeps, operation } from '../../platform/operations/operation.ts'
import { pageOf } from '../../platform/page-of.ts'
import { AccountError } from '../account.ts'
import { declineBusinessRequest } from '../business/decide-business-request.ts'
import {
  type BusinessRequest,
  listBusinessRequestPage,
  listBusinessRequests,
  readBusinessRequest,
} from '../business/request-business-approval.ts'
import { readAccount } from '../find-account.ts'
import { setBusinessApproval } from '../set-business-approval.ts'
import { describeAccount, PrintedAccount } from './printed-account.ts'

const Request = Type.Object(
  {
    requestId: Uuid(),
    accountId: Uuid(),
    email: Type.String({ description: 'The account’s.' }),
    name: Type.String({ description: 'As the business is registered.' }),
    registrationNumber: Type.String(),
    purpose: Type.String({ description: 'What the SMS are for.' }),
    state: OneOf(['waiting', 'approved', 'declined']),
    reason: Nullable(Type.String({ description: 'Why it was declined.' })),
    askedAt: Timestamp(),
    decidedAt: Nullable(Timestamp()),
    decidedBy: Nullable(Type.String()),
  },
  { title: 'DeskBusinessRequest' },
)

const requestId = Uuid({ description: 'As the list gives it.' })
const requestNotFound = refuse(404, 'request_not_found', 'There is no such request.')

async function mustFindBusinessRequest(db: Db, id: string): Promise<BusinessRequest> {
  const request = await readBusinessRequest(db, id)
  if (!request) throw new RefusalError(requestNotFound)
  return request
}

async function mustFindWaitingRequest(db: Db, id: string): Promise<BusinessRequest> {
  const request = await mustFindBusinessRequest(db, id)
  if (request.state !== 'waiting') throw new AccountError(`This request was ${request.state} already.`)
  return request
}

const deciding = {
  tag: 'Business approvals',
  permission: 'manage_accounts',
  refusals: [404, 409],
  output: Request,
  about: async ({ db }: OperationDeps, _actor: Actor, asked: { readonly requestId: string }) =>
    (await mustFindWaitingRequest(db, asked.requestId)).accountId,
} as const

/** At the desk, people choose a request by its id. */
export const businessDeskOperations = [
  operation({
    route: 'GET /business',
    operationId: 'deskListBusinessRequests',
    tag: 'Business approvals',
    permission: 'see',
    summary: 'Who asks to be approved as a business, oldest first; or what was decided, newest first',
    input: Type.Object({
      state: OneOf(['waiting', 'decided'], { default: 'waiting' }),
      after: Type.Optional(Uuid({ description: 'The `next` of the page before.' })),
      limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
    }),
    output: Type.Object({ requests: Type.Array(Request), next: Nullable(Uuid()) }, { title: 'DeskBusinessRequestPage' }),
    async act({ db }, _actor, { state, after, limit }) {
      const list = (rows: number) => listBusinessRequestPage(db, { isWaiting: state === 'waiting', after, limit: rows })
      const { rows: requests, next } = await pageOf(limit, list, (request) => request.requestId)
      return { requests, next }
    },
  }),
  operation({
    route: 'GET /business/:request_id',
    operationId: 'deskReadBusinessRequest',
    tag: 'Business approvals',
    permission: 'see',
    refusals: [404],
    summary: 'One request to be approved as a business',
    input: Type.Object({ requestId }),
    output: Request,
    act: ({ db }, _actor, asked) => mustFindBusinessRequest(db, asked.requestId),
  }),
  operation({
    ...deciding,
    route: 'POST /business/:request_id/approve',
    operationId: 'deskApproveBusiness',
    isConfirmationNeeded: true,
    summary: 'Approve an account as a business, so that it may send SMS',
    input: Type.Object({ requestId }),
    async act({ db }, { actor }, asked) {
      const { accountId } = await mustFindWaitingRequest(db, asked.requestId)
      await inTransaction(db, (tx) => setBusinessApproval(tx, { accountId, isBusiness: true, actor }))
      return mustFindBusinessRequest(db, asked.requestId)
    },
  }),
  operation({
    ...deciding,
    route: 'POST /business/:request_id/decline',
    operationId: 'deskDeclineBusiness',
    summary: 'Decline the request of an account to be approved as a business; the account gets a notice with the reason',
    input: Type.Object({ requestId, reason: GivenReason }),
    async act({ db }, { actor }, { reason, ...asked }) {
      const { accountId } = await mustFindWaitingRequest(db, asked.requestId)
      await inTransaction(db, (tx) => declineBusinessRequest(tx, { accountId, reason, actor }))
      return mustFindBusinessRequest(db, asked.requestId)
    },
  }),
]

const setting = { input: Type.Object({ accountId: Uuid() }), output: PrintedAccount, text: describeAccount } as const

/** On the command line, people name the account. It may be approved without a request. */
export const businessCommands = [
  operation({
    ...setting,
    command: 'account approve-business',
    summary: 'Approve an account as a business, so that it may send SMS',
    act: ({ db }, { actor }, { accountId }) =>
      inTransaction(db, (tx) => setBusinessApproval(tx, { accountId, isBusiness: true, actor })),
  }),
  operation({
    command: 'account decline-business',
    summary: 'Decline the request of an account to be approved as a business, with a notice of the reason',
    input: Type.Object({
      accountId: Uuid(),
      reason: Type.String({ description: 'what the account must correct; the notice has these words' }),
    }),
    output: Type.Object({ requestId: Uuid(), state: Type.Literal('declined') }),
    act: ({ db }, { actor }, { accountId, reason }) =>
      inTransaction(db, async (tx) => {
        const { email } = await readAccount(tx, accountId)
        return { ...(await declineBusinessRequest(tx, { accountId, reason, actor })), state: 'declined' as const, email }
      }),
    text: ({ email }) => `The request of ${email} is declined, and it gets a notice with the reason.`,
  }),
  operation({
    command: 'account business-requests',
    summary: 'List the accounts that ask to be approved as a business, oldest first',
    input: Type.Object({}),
    output: Type.Array(
      Type.Pick(Request, ['requestId', 'accountId', 'email', 'name', 'registrationNumber', 'purpose', 'askedAt']),
    ),
    act: ({ db }) => listBusinessRequests(db),
    text: (requests) =>
      requests
        .map(
          ({ email, name, registrationNumber, purpose }) =>
            `${email}  ${name}, registered as ${registrationNumber}\n  ${purpose}`,
        )
        .join('\n') || 'No account asks to be approved as a business.',
  }),
  operation({
    ...setting,
    command: 'account withdraw-business',
    summary: 'Take that approval back; campaigns already accepted go on',
    act: ({ db }, { actor }, { accountId }) =>
      inTransaction(db, (tx) => setBusinessApproval(tx, { accountId, isBusiness: false, actor })),
  }),
]

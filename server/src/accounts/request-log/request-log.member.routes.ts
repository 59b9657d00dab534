import Type from 'typebox'
import type { Db } from '../../platform/database/database.ts'
import type { Api } from '../../platform/http/api.ts'
import { Envelope, ok } from '../../platform/http/envelope.ts'
import { RefusalError, refuse } from '../../platform/http/refusals.ts'
import { Moment, Nullable, OneOf, Uuid } from '../../platform/http/schemas.ts'
import { keyTypes } from '../developer/developer.schemas.ts'
import { groupRefusedCalls } from './group-refused-calls.ts'
import { findCall, type ListedCall, listCalledPaths, listCalls } from './list-calls.ts'

const callNotFound = refuse(404, 'call_not_found', 'There is no such request, or it is older than 30 days.')

const listedFields = {
  call_id: Uuid(),
  key_type: OneOf(keyTypes),
  key_hint: Type.String({ description: 'The last four characters of the key.' }),
  called_at: Moment(),
  method: Type.String(),
  path: Type.String({ description: 'The pattern of the endpoint.', examples: ['/orders/:reference'] }),
  status: Type.Integer(),
  milliseconds: Type.Integer(),
  reason: Nullable(Type.String({ description: 'The `X-Error-Reason` of a refusal.' })),
  references: Type.Array(Type.String(), { description: 'The references of orders that it named.' }),
  order_id: Nullable(Uuid({ description: 'The order that the answer named.' })),
}

const CallList = Type.Object(
  {
    calls: Type.Array(Type.Object(listedFields)),
    next: Nullable(Uuid({ description: 'For the next page; null: the last one.' })),
  },
  { title: 'CallList' },
)

const anything = (description: string) => Type.Unsafe<unknown>({ description })

const CallDetail = Type.Object(
  {
    ...listedFields,
    request_id: Type.String({ description: 'As `X-Request-Id` had it.' }),
    address: Nullable(Type.String()),
    params: anything('What stood in the path.'),
    query: anything('The query.'),
    body: anything('The body, without what is sensitive or unknown; null: none was kept.'),
    response: anything('The answer, likewise.'),
  },
  { title: 'CallDetail' },
)

const RefusedCallGroups = Type.Object(
  {
    refused: Type.Array(
      Type.Object({
        reason: Type.String(),
        status: Type.Integer(),
        count: Type.Integer(),
        last_at: Moment(),
        last_call_id: Uuid(),
        message: Type.String(),
        fix: Type.String({ description: 'What to do about it.' }),
      }),
    ),
    paths: Type.Array(Type.String(), { description: 'The endpoints that the account has called.' }),
  },
  { title: 'RefusedCallGroups' },
)

const CallQueryString = Type.Object({
  key_id: Type.Optional(Uuid()),
  path: Type.Optional(Type.String({ maxLength: 100 })),
  status: Type.Optional(OneOf(['2xx', '4xx', '5xx'])),
  reference: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  after: Type.Optional(Uuid({ description: 'The `next` of the page before.' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 30 })),
})

function viewCall({ id, keyType, hint, calledAt, references, orderId, ...call }: ListedCall) {
  return {
    call_id: id,
    key_type: keyType,
    key_hint: hint,
    called_at: calledAt.toISOString(),
    method: call.method,
    path: call.path,
    status: call.status,
    milliseconds: call.milliseconds,
    reason: call.reason,
    references: [...(references ?? [])],
    order_id: orderId,
  }
}

export function registerRequestLogRoutes(app: Api, { db }: { readonly db: Db }): void {
  app.get(
    '/requests',
    {
      config: { permission: 'look' },
      schema: {
        operationId: 'listCalls',
        tags: ['Developer API'],
        summary: 'What the keys of the account called, newest first',
        querystring: CallQueryString,
        response: { 200: Envelope(CallList) },
      },
    },
    async ({ membership, query: { key_id: keyId, status: statusClass, path, reference, after, limit = 30 } }) => {
      const asked = { keyId, path, statusClass, reference, after, limit }
      const { calls, next } = await listCalls(db, { ...asked, accountId: membership.accountId })
      return ok({ calls: calls.map(viewCall), next })
    },
  )
  app.get(
    '/requests/refused',
    {
      config: { permission: 'look' },
      schema: {
        operationId: 'groupRefusedCalls',
        tags: ['Developer API'],
        summary: 'The refused calls by their reason, with what to do about it',
        response: { 200: Envelope(RefusedCallGroups) },
      },
    },
    async ({ membership: { accountId } }) => {
      const [refused, paths] = await Promise.all([groupRefusedCalls(db, accountId), listCalledPaths(db, accountId)])
      return ok({
        refused: refused.map(({ lastAt, lastId, ...group }) => ({
          ...group,
          last_at: lastAt.toISOString(),
          last_call_id: lastId,
        })),
        paths,
      })
    },
  )
  registerCallDetailRoute(app, db)
}

function registerCallDetailRoute(app: Api, db: Db): void {
  app.get(
    '/requests/:call_id',
    {
      config: { permission: 'look', refusals: [404] },
      schema: {
        operationId: 'readCall',
        tags: ['Developer API'],
        summary: 'One call with its bodies, without what is sensitive',
        params: Type.Object({ call_id: Uuid() }),
        response: { 200: Envelope(CallDetail) },
      },
    },
    async ({ membership, params: { call_id: callId } }) => {
      const call = await findCall(db, membership.accountId, callId)
      if (!call) throw new RefusalError(callNotFound)
      const { params = null, query = null, body = null } = call.request ?? {}
      const { requestId, address, response } = call
      return ok({ ...viewCall(call), request_id: requestId, address, params, query, body, response: response ?? null })
    },
  )
}

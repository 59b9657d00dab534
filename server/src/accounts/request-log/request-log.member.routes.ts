import Type from 'typebox'
import type { Db } from '../../platform/database/database.ts'
import { Envelope, ok } from '../../platform/http/envelope.ts'
import { RefusalError, refuse } from '../../platform/http/refusals.ts'
import type { Api } from '../../platform/http/route-types.ts'
import { Nullable, OneOf, Uuid } from '../../platform/http/schemas.ts'
import { Timestamp } from '../../platform/operations/fields.ts'
import { keyTypes } from '../developer/developer.schemas.ts'
import { groupRefusedCalls } from './group-refused-calls.ts'
import { findCall, listCalledPaths, listCalls } from './list-calls.ts'

export const callNotFound = refuse(404, 'call_not_found', 'There is no such request, or it is too old to be kept.')

const listedFields = {
  callId: Uuid(),
  keyType: OneOf(keyTypes),
  keyHint: Type.String({ description: 'The last four characters of the key.' }),
  calledAt: Timestamp(),
  method: Type.String(),
  path: Type.String({ description: 'The pattern of the endpoint.', examples: ['/orders/:reference'] }),
  status: Type.Integer(),
  milliseconds: Type.Integer(),
  reason: Nullable(Type.String({ description: 'The `X-Error-Reason` of a refusal.' })),
  references: Type.Array(Type.String(), { description: 'The references of orders that it named.' }),
  orderId: Nullable(Uuid({ description: 'The order that the answer named.' })),
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
    requestId: Type.String({ description: 'As `X-Request-Id` had it.' }),
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
        lastAt: Timestamp(),
        lastCallId: Uuid(),
        message: Type.String(),
        fix: Type.String({ description: 'What to do about it.' }),
      }),
    ),
    paths: Type.Array(Type.String(), { description: 'The endpoints that the account has called.' }),
  },
  { title: 'RefusedCallGroups' },
)

const CallQueryString = Type.Object({
  keyId: Type.Optional(Uuid()),
  path: Type.Optional(Type.String({ maxLength: 100 })),
  status: Type.Optional(OneOf(['2xx', '4xx', '5xx'])),
  reference: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  after: Type.Optional(Uuid({ description: 'The `next` of the page before.' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 30 })),
})

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
    async ({ membership, query: { limit = 30, ...filters } }) =>
      ok(await listCalls(db, { ...filters, limit, accountId: membership.accountId })),
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
      return ok({ refused, paths })
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
        params: Type.Object({ callId: Uuid() }),
        response: { 200: Envelope(CallDetail) },
      },
    },
    async ({ membership, params: { callId } }) => {
      const call = await findCall(db, membership.accountId, callId)
      if (!call) throw new RefusalError(callNotFound)
      const { params = null, query = null, body = null } = call.request ?? {}
      return ok({ ...call, params, query, body, response: call.response ?? null })
    },
  )
}

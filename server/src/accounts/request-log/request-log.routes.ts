import Type from 'typebox'
import type { Db } from '../../platform/database/database.ts'
import { Envelope, ok } from '../../platform/http/envelope.ts'
import { limits } from '../../platform/http/limits/endpoint-limits.ts'
import { RefusalError } from '../../platform/http/refusals.ts'
import type { Api } from '../../platform/http/route-types.ts'
import { Moment, Nullable, OneOf, Uuid } from '../../platform/http/schemas.ts'
import { keyTypes } from '../developer/developer.schemas.ts'
import { findCallOfRequest } from './list-calls.ts'
import { callNotFound } from './request-log.member.routes.ts'

/** The request id of the documentation's examples. The demo has a call under it. */
export const exampleRequestId = 'a-request-of-the-demo'

const anything = (description: string) => Type.Unsafe<unknown>({ description })

const LoggedRequest = Type.Object(
  {
    request_id: Type.String({ description: 'As `X-Request-Id` had it.', examples: [exampleRequestId] }),
    called_at: Moment(),
    key_type: OneOf(keyTypes),
    key_hint: Type.String({ description: 'The last four characters of the key.', examples: ['a1b2'] }),
    method: Type.String({ examples: ['POST'] }),
    path: Type.String({ description: 'The pattern of the endpoint.', examples: ['/data/purchase'] }),
    status: Type.Integer({ examples: [200] }),
    milliseconds: Type.Integer({ description: 'How long the answer took.', examples: [12] }),
    reason: Nullable(Type.String({ description: 'The `X-Error-Reason` of a refusal.' })),
    references: Type.Array(Type.String(), { description: 'The references of orders that it named.' }),
    order_id: Nullable(Uuid({ description: 'The order that the answer named.' })),
    params: anything('What stood in the path; null: nothing.'),
    query: anything('The query; null: none.'),
    body: anything('The body, without what is sensitive or unknown; null: none was kept.'),
    response: anything('The answer, likewise.'),
  },
  { title: 'LoggedRequest' },
)

/** Reads one of the account's own calls. The contract does not define this endpoint. */
export function registerRequestLogRoute(api: Api, { db }: { readonly db: Db }): void {
  api.get(
    '/requests/:request_id',
    {
      config: { keyType: 'standard', limit: limits.request, refusals: [callNotFound] },
      schema: {
        tags: ['Lists'],
        operationId: 'readRequest',
        summary: 'Read what you sent and were answered',
        description:
          'A call with any key of the account, by the `X-Request-Id` of its answer; the newest one where you sent the same id several times. It can be read a second or two after it was answered, until we delete it: after 14 days if not set otherwise. Nothing sensitive is kept.',
        params: Type.Object({
          request_id: Type.String({ description: 'The `X-Request-Id` of the answer.', examples: [exampleRequestId] }),
        }),
        response: { 200: Envelope(LoggedRequest) },
      },
    },
    async ({ caller: { accountId }, params: { request_id: requestId } }) => {
      const call = await findCallOfRequest(db, accountId, requestId)
      if (!call) throw new RefusalError(callNotFound)
      const { params = null, query = null, body = null } = call.request ?? {}
      return ok({
        request_id: call.requestId,
        called_at: call.calledAt.toISOString(),
        key_type: call.keyType,
        key_hint: call.keyHint,
        method: call.method,
        path: call.path,
        status: call.status,
        milliseconds: call.milliseconds,
        reason: call.reason,
        references: [...call.references],
        order_id: call.orderId,
        params,
        query,
        body,
        response: call.response ?? null,
      })
    },
  )
}

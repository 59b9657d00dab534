import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyInstance } from 'fastify'
import { type CallerLink, spanNow } from './tracing.ts'

/** The request that a handler answers at the moment. */
export type TracedRequest = {
  /** When the server began to handle it, after its headers were read (milliseconds since 1970, with fractions). */
  readonly startedAt: number
  /** The path's pattern, with the names of its parameters in place of their values. */
  readonly route: string | undefined
  readonly callerLink: CallerLink | undefined
}

const requests = new AsyncLocalStorage<TracedRequest>()

/** `00-<trace>-<span>-<flags>`: https://www.w3.org/TR/trace-context/#traceparent-header */
const traceparent = /^[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}$/

function readCallerLink(header: unknown): CallerLink | undefined {
  const [, traceId, spanId] = (typeof header === 'string' && traceparent.exec(header)) || []
  return traceId !== undefined && spanId !== undefined ? { traceId, spanId } : undefined
}

/**
 * Lets `presentRequest` know the request of each handler. The hook runs after the body was read: what an earlier hook sets
 * would be lost while the body is read.
 */
export function followRequests(app: FastifyInstance): void {
  app.addHook('preHandler', (request, reply, done) => {
    const startedAt = spanNow() - reply.elapsedTime
    requests.run({ startedAt, route: request.routeOptions.url, callerLink: readCallerLink(request.headers['traceparent']) }, done)
  })
}

/** The request that called this code. Undefined: none did, or requests are not followed. */
export const presentRequest = (): TracedRequest | undefined => requests.getStore()

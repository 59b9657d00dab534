import type { FastifyInstance } from 'fastify'
import type { Epoch } from '../../platform/database/epoch.ts'
import type { Settings } from '../../platform/settings/settings.ts'
import type { RequestLog } from './open-request-log.ts'
import { isKept, requestLogScope } from './request-log.settings.ts'

/** A longer answer is not kept, because it would take too much room. The rest of its call is kept. */
const answerLengthMax = 32_000

/**
 * Records calls of recognised keys for their owners when the answer is ready, as the setting `request_log` allows. While the
 * request runs, this only adds one object to a list; the call is redacted after the answer.
 *
 * @param prefix the part of the address that all endpoints share
 */
export function recordCalls(
  api: FastifyInstance,
  deps: {
    readonly requestLog: RequestLog
    readonly settings: Pick<Settings, 'peek'>
    readonly epoch: Pick<Epoch, 'databaseNow'>
    readonly prefix: string
  },
): void {
  api.addHook('onSend', (request, reply, payload, done) => {
    const caller = request.caller ?? request.refusedCaller
    const { statusCode: status } = reply
    // When the settings are not in memory, the call is recorded now, and the writer decides later whether it is kept.
    const scope = deps.settings.peek(requestLogScope) ?? 'all'
    if (caller && isKept(scope, status)) {
      const { url = '', schema = {} } = request.routeOptions
      deps.requestLog.note({
        keyId: caller.keyId,
        calledAt: deps.epoch.databaseNow(),
        method: request.method,
        path: url.slice(deps.prefix.length),
        schema,
        status,
        milliseconds: Math.round(reply.elapsedTime),
        requestId: request.id,
        address: request.ip,
        reason: status >= 400 ? String(reply.getHeader('x-error-reason') ?? '') : null,
        params: request.params,
        query: request.query,
        body: request.body,
        answer: typeof payload === 'string' && payload.length <= answerLengthMax ? payload : undefined,
      })
    }
    done(null, payload)
  })
}

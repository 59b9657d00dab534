import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Epoch } from '../../platform/database/epoch.ts'
import { type Forgetting, rowsPerStep } from '../../platform/forgetting/forget-old-data.ts'
import type { Settings } from '../../platform/settings/settings.ts'
import { isCallLogged, requestLogDays, requestLogScope } from '../accounts.settings.ts'
import type { RequestLog } from './open-request-log.ts'

/** An answer of more characters is not kept, because it would take too much room. The rest of its call is kept. */
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
    if (caller && isCallLogged(scope, status)) {
      const { url = '', schema = {} } = request.routeOptions
      deps.requestLog.record({
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

/** Calls from before this moment are not shown, and are deleted within minutes. */
export const oldestKeptCallAt = sql`clock_timestamp() - make_interval(days => coalesce(
  (select (value #>> '{}')::integer from settings where name = ${sql.lit(requestLogDays.name)}),
  ${sql.lit(requestLogDays.defaultValue)}))`

/** Deletes the calls that are older than `request_log_days`. */
export const forgettingOfCalls: Forgetting = {
  name: 'request log',
  async step(tx) {
    const { numAffectedRows = 0n } = await sql`
      delete from request_log where ctid = any (array(
        select ctid from request_log where called_at < ${oldestKeptCallAt} limit ${rowsPerStep}))`.execute(tx)
    return { count: Number(numAffectedRows), isMore: numAffectedRows === BigInt(rowsPerStep) }
  },
}

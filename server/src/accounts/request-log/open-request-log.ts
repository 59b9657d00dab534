import { isIP } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Db } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/new-id.ts'
import { rowsOf } from '../../platform/database/rows-of.ts'
import type { Metrics } from '../../platform/metrics/open-metrics.ts'
import type { Settings } from '../../platform/settings/settings.ts'
import { isCallLogged, requestLogScope } from '../accounts.settings.ts'
import { type CallToLog, type LoggedBodies, redactCall } from './redact-call.ts'

export type RequestLog = {
  /** Keeps a call in memory until the next write. Drops and counts the call when the memory is full. */
  record(call: CallToLog): void
  /** Writes the calls in memory and stops. */
  close(): Promise<void>
}

const flushEveryMilliseconds = 1_000
/** One process writes at most this many calls in a second. Further calls are answered as usual, and are not logged. */
const callsMax = 500
/** This many of `callsMax` are reserved for refused calls, because their owners will want to know the reasons. */
const reservedForRefused = 100
/** Calls are dropped when the answers of the waiting calls of a process would have more characters than this. */
const answersMax = 2_000_000
/** This many calls are redacted at a time. In between, the process answers requests. */
const sliceCalls = 10

type LoggedCall = CallToLog & LoggedBodies

async function insertCalls(db: Db, calls: readonly LoggedCall[]): Promise<void> {
  await sql`
    with calls as (select * from ${rowsOf(calls, {
      id: ['uuid', () => newId()],
      key_id: ['uuid', (call) => call.keyId],
      called_at: ['timestamptz', (call) => call.calledAt],
      method: ['text', (call) => call.method],
      path: ['text', (call) => call.path],
      status: ['smallint', (call) => call.status],
      milliseconds: ['integer', (call) => call.milliseconds],
      request_id: ['text', (call) => call.requestId],
      address: ['inet', (call) => (isIP(call.address) === 0 ? null : call.address)],
      reason: ['text', (call) => call.reason],
      // PostgreSQL has no arrays of arrays with different lengths, so each list is sent as JSON.
      order_references: ['jsonb', (call) => (call.orderReferences ? JSON.stringify(call.orderReferences) : null)],
      order_id: ['uuid', (call) => call.orderId],
      request: ['text', (call) => call.request],
      response: ['text', (call) => call.response],
    }).as('calls')})
    insert into request_log (id, key_id, called_at, method, path, status, milliseconds, request_id, address, reason,
      order_references, order_id, request, response)
    select id, key_id, called_at, method, path, status, milliseconds, request_id, address, reason,
      case when order_references is not null then array(select jsonb_array_elements_text(order_references)) end,
      order_id, request::json, response::json
    from calls`.execute(db)
}

/** Redacts slice by slice, so that no request waits for more than a few calls. */
async function redactCalls(calls: readonly CallToLog[]): Promise<LoggedCall[]> {
  const redacted: LoggedCall[] = []
  for (const [index, call] of calls.entries()) {
    if (index % sliceCalls === sliceCalls - 1) await setImmediate()
    redacted.push({ ...call, ...redactCall(call) })
  }
  return redacted
}

function countCalls(metrics: Metrics | undefined): (outcome: 'written' | 'dropped' | 'failed', calls: number) => void {
  const counter = metrics?.counter(
    'makola_request_log_calls_total',
    'Calls for the request log: written, dropped because too many came, or failed because the database took none.',
    ['outcome'],
  )
  return (outcome, calls) => counter?.inc({ outcome }, calls)
}

/**
 * Opens the log of one process. Calls wait in memory for about a second, or longer while the previous write is slow. A crash
 * loses only the calls that are not written yet.
 */
export function openRequestLog(deps: {
  readonly db: Db
  readonly settings: Pick<Settings, 'read'>
  readonly log: Pick<Logger, 'warn'>
  readonly metrics?: Metrics | undefined
}): RequestLog {
  const count = countCalls(deps.metrics)
  let waiting: CallToLog[] = []
  let answerCharacters = 0
  let writing: Promise<void> = Promise.resolve()

  async function write(): Promise<void> {
    const batch = waiting
    waiting = []
    answerCharacters = 0
    if (batch.length === 0) return
    let calls = batch
    try {
      const scope = await deps.settings.read(requestLogScope)
      calls = batch.filter(({ status }) => isCallLogged(scope, status))
      if (calls.length === 0) return
      await insertCalls(deps.db, await redactCalls(calls))
      count('written', calls.length)
    } catch (error) {
      count('failed', calls.length)
      deps.log.warn({ err: error }, 'calls could not be written to the request log')
    }
  }

  function flush(): Promise<void> {
    writing = writing.then(write)
    return writing
  }

  // While one write runs, no second one is begun. Calls that come meanwhile wait in memory, up to the limit.
  let isFlushing = false
  const timer = setInterval(() => {
    if (isFlushing) return
    isFlushing = true
    void flush().finally(() => {
      isFlushing = false
    })
  }, flushEveryMilliseconds).unref()

  return {
    record(call) {
      const places = call.status >= 400 ? callsMax : callsMax - reservedForRefused
      const characters = call.answer?.length ?? 0
      if (waiting.length >= places || answerCharacters + characters > answersMax) return count('dropped', 1)
      answerCharacters += characters
      waiting.push(call)
    },
    close() {
      clearInterval(timer)
      return flush()
    },
  }
}

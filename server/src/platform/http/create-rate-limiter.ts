import { isIPv6 } from 'node:net'
import { CompiledQuery, sql } from 'kysely'
import type { Logger } from 'pino'
import { RateLimiterMemory, RateLimiterPostgres } from 'rate-limiter-flexible'
import type { Db } from '../database/database.ts'

const windowSeconds = 60

/** The store counts without judging: which number is too many may change with a setting between two requests. */
const pointsWithoutJudgement = Number.MAX_SAFE_INTEGER

/** A store that has not answered after this long is as good as away. */
const storeTimeoutMilliseconds = 1_000

const purgeEveryMilliseconds = 5 * 60_000

/** A mistyped key fails a few times; a program that guesses fails without end. Per IP address and minute, per process. */
export const failedKeysPerMinute = 300

/** How often a key has asked in the running window. */
export type RequestCount = {
  /** Requests in this window, this one and refused ones included. */
  readonly requests: number
  /** Until the window ends and the count begins anew; whole seconds, at least 1. */
  readonly resetSeconds: number
}

export type RateLimiter = {
  /** Counts one request against a budget of a key. Never fails. */
  count(budget: string, keyId: string): Promise<RequestCount>
  /** Failed keys by IP address, always in memory: it must cost nothing to ask before every look-up. */
  readonly failedKeys: {
    /** Seconds until this address may try again; 0 when it may now. */
    blockedSeconds(ipAddress: string): Promise<number>
    record(ipAddress: string): Promise<void>
  }
  /** Stops the timer that purges expired rows. */
  readonly stop: () => void
}

export type RateLimiterOptions = { readonly log: Logger } & (
  | { readonly store: 'memory' }
  | { readonly store: 'postgres'; readonly db: Db }
)

/** The pool as the library wants it: `query({ text, values })`. Failures are logged here, because the library hides them. */
function queryThrough(db: Db, log: Logger) {
  return async ({ text, values }: { text: string; values: unknown[] }) => {
    const { promise: tooLate, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => reject(new Error('no answer in time')), storeTimeoutMilliseconds)
    try {
      const result = await Promise.race([db.executeQuery(CompiledQuery.raw(text, values)), tooLate])
      return { rows: result.rows, rowCount: result.rows.length }
    } catch (error) {
      log.warn({ err: error }, 'the shared count of requests is away; this process counts on its own')
      throw error
    } finally {
      clearTimeout(timer)
    }
  }
}

/** Counts whose window has long ended. A purge that fails is made up for by the next. */
async function purge(db: Db): Promise<void> {
  await sql`delete from rate_limits where expire < ${Date.now()}`.execute(db).catch(() => undefined)
}

/**
 * When the shared store fails, each process counts in its own memory until it is back: nobody is locked
 * out by our fault, and nobody gets more than the limit times the number of processes.
 */
function openStore(options: RateLimiterOptions): { limiter: RateLimiterMemory | RateLimiterPostgres; stop: () => void } {
  const common = { points: pointsWithoutJudgement, duration: windowSeconds, keyPrefix: '' }
  const memory = new RateLimiterMemory(common)
  if (options.store === 'memory') return { limiter: memory, stop: () => undefined }
  const limiter = new RateLimiterPostgres({
    ...common,
    storeClient: { query: queryThrough(options.db, options.log) },
    storeType: 'pool',
    tableName: 'rate_limits',
    tableCreated: true,
    clearExpiredByTimeout: false,
    insuranceLimiter: memory,
  })
  const purging = setInterval(() => void purge(options.db), purgeEveryMilliseconds).unref()
  return { limiter, stop: () => clearInterval(purging) }
}

/** One subscriber holds a whole /64 of IPv6 addresses, so that is what is counted. */
function addressGroup(ipAddress: string): string {
  if (!isIPv6(ipAddress)) return ipAddress
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ipAddress)
  if (mapped?.[1]) return mapped[1]
  const [head = '', tail] = ipAddress.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail ? tail.split(':') : []
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - before.length - after.length }, () => '0')
  return [...before, ...zeros, ...after].slice(0, 4).join(':')
}

const wholeSeconds = (milliseconds: number) => Math.max(1, Math.ceil(milliseconds / 1_000))

function limitFailedKeys(): RateLimiter['failedKeys'] {
  const failures = new RateLimiterMemory({ points: pointsWithoutJudgement, duration: windowSeconds, keyPrefix: 'failed-keys' })
  return {
    async blockedSeconds(ipAddress) {
      const state = await failures.get(addressGroup(ipAddress))
      return state && state.consumedPoints >= failedKeysPerMinute ? wholeSeconds(state.msBeforeNext) : 0
    },
    async record(ipAddress) {
      await failures.consume(addressGroup(ipAddress))
    },
  }
}

/** Opens the counters of requests: in this process's memory, or in PostgreSQL where several processes share one count. */
export function createRateLimiter(options: RateLimiterOptions): RateLimiter {
  const { limiter, stop } = openStore(options)
  return {
    async count(budget, keyId) {
      const state = await limiter.consume(`${budget} ${keyId}`)
      return { requests: state.consumedPoints, resetSeconds: wholeSeconds(state.msBeforeNext) }
    },
    failedKeys: limitFailedKeys(),
    stop,
  }
}

import ipaddr from 'ipaddr.js'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import type { Db } from '../../database/database.ts'
import { type CountState, countInDatabase } from './count-in-database.ts'

const windowSeconds = 60

/**
 * So high that the library never refuses: it only counts. The caller compares the count with the real limit, which is
 * usually a setting and may change between two requests.
 */
const pointsWithoutJudgement = Number.MAX_SAFE_INTEGER

/** A store that does not answer within this time counts as unavailable. */
const storeTimeoutMilliseconds = 1_000

const purgeEveryMilliseconds = 5 * 60_000

/**
 * Failed keys per IP address and minute, in each process. A mistyped key fails a few times; a program that guesses keys
 * fails without end.
 */
export const failedKeysPerMinute = 300

/** A key's requests in the running window. */
export type RequestCount = {
  /** Requests in this window, including this one and refused ones. */
  readonly requests: number
  /** Whole seconds, at least 1, until the window ends and the count starts again. */
  readonly resetSeconds: number
}

export type RateLimiter = {
  /** Counts one request against a budget of a key. Never fails. */
  count(budget: string, keyId: string): Promise<RequestCount>
  /** Failed keys by IP address. Always counted in memory, because it is checked before every look-up. */
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

/** Deletes counts whose window has ended. If a purge fails, the next one does its work. */
async function purge(db: Db): Promise<void> {
  await sql`delete from rate_limits where expire < extract(epoch from clock_timestamp()) * 1000`
    .execute(db)
    .catch(() => undefined)
}

type Store = { readonly count: (key: string) => Promise<CountState>; readonly stop: () => void }

function createMemoryStore(): Store {
  const memory = new RateLimiterMemory({ points: pointsWithoutJudgement, duration: windowSeconds, keyPrefix: '' })
  return {
    async count(key) {
      const { consumedPoints, msBeforeNext } = await memory.consume(key)
      return { requests: consumedPoints, remainingMilliseconds: msBeforeNext }
    },
    stop: () => undefined,
  }
}

/**
 * While the database does not answer, each process counts in its own memory: nobody is locked out because of our failure,
 * and a key gets at most the limit once more from each process.
 */
function createDatabaseStore(db: Db, log: Logger): Store {
  const memory = createMemoryStore()
  const countThere = countInDatabase(db, windowSeconds * 1_000)
  const purging = setInterval(() => void purge(db), purgeEveryMilliseconds).unref()
  return {
    async count(key) {
      const { promise: tooLate, reject } = Promise.withResolvers<never>()
      const timer = setTimeout(() => reject(new Error('no answer in time')), storeTimeoutMilliseconds)
      try {
        return await Promise.race([countThere(key), tooLate])
      } catch (error) {
        log.warn({ err: error }, 'the shared count of requests is away; this process counts on its own')
        return memory.count(key)
      } finally {
        clearTimeout(timer)
      }
    },
    stop: () => clearInterval(purging),
  }
}

/** One subscriber has a whole /64 of IPv6 addresses, so the /64 is counted. */
export function addressGroup(ipAddress: string): string {
  if (!ipaddr.isValid(ipAddress)) return ipAddress
  // An IPv4 address written as IPv6 (::ffff:192.0.2.1) becomes IPv4.
  const address = ipaddr.process(ipAddress)
  return address instanceof ipaddr.IPv6 ? address.parts.slice(0, 4).join(':') : address.toString()
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
  const store = options.store === 'memory' ? createMemoryStore() : createDatabaseStore(options.db, options.log)
  return {
    async count(budget, keyId) {
      const state = await store.count(`${budget} ${keyId}`)
      return { requests: state.requests, resetSeconds: wholeSeconds(state.remainingMilliseconds) }
    },
    failedKeys: limitFailedKeys(),
    stop: store.stop,
  }
}

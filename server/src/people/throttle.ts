import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'
import { countInDatabase } from '../platform/http/limits/count-in-database.ts'
import { addressGroup } from '../platform/http/limits/create-rate-limiter.ts'
import { RefusalError } from '../platform/http/refusals.ts'
import { peopleRefusals } from './people.refusals.ts'

const windowMinutes = 15

/**
 * The most tries in a quarter of an hour, for one e-mail or person and from one address. The limit of an address is
 * much higher, because many resellers share the address of their mobile network.
 */
const budgets = {
  sign_in: { perPerson: 10, perAddress: 200 },
  second_factor: { perPerson: 30, perAddress: 200 },
  sign_up: { perPerson: 5, perAddress: 30 },
  reset: { perPerson: 5, perAddress: 60 },
  invite: { perPerson: 20, perAddress: 60 },
  confirm: { perPerson: 10, perAddress: 200 },
} as const

export type ThrottleBudget = keyof typeof budgets

/** Limits tries. They are counted in the database, so that all API processes share the counts. */
export type Throttle = {
  /**
   * Counts a try before it is looked at, so that tries that come together cannot slip through.
   * @param person the e-mail as given, the person's id, or what else names who tries; undefined: the address alone
   * @throws RefusalError 429 with the seconds to wait
   */
  count(budget: ThrottleBudget, person: string | undefined, address: string): Promise<void>
  /** Sets a person's count back to 0, after a try that was right. */
  forget(budget: ThrottleBudget, person: string): Promise<void>
}

/** The key of a count. It holds a hash, so that the e-mail does not stand in the table of counts. */
function keyOf(budget: ThrottleBudget, kind: 'person' | 'address', text: string): string {
  const digest = createHash('sha256').update(text.trim().toLowerCase()).digest('base64url')
  return `person ${budget} ${kind} ${digest}`
}

/** Opens the counts of tries to sign in and the like. */
export function createThrottle(db: Db): Throttle {
  const count = countInDatabase(db, windowMinutes * 60_000)
  async function countOne(key: string, most: number): Promise<number> {
    const { requests, remainingMilliseconds } = await count(key)
    return requests > most ? Math.max(1, Math.ceil(remainingMilliseconds / 1_000)) : 0
  }
  return {
    async count(budget, person, address) {
      const { perPerson, perAddress } = budgets[budget]
      const waits = await Promise.all([
        person === undefined ? 0 : countOne(keyOf(budget, 'person', person), perPerson),
        countOne(keyOf(budget, 'address', addressGroup(address)), perAddress),
      ])
      const waitSeconds = Math.max(...waits)
      if (waitSeconds > 0) throw new RefusalError(peopleRefusals.tooManyTries(waitSeconds))
    },
    async forget(budget, person) {
      await sql`delete from rate_limits where key = ${keyOf(budget, 'person', person)}`.execute(db)
    },
  }
}

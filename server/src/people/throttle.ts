import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'
import { countInDatabase } from '../platform/http/limits/count-in-database.ts'
import { addressGroup } from '../platform/http/limits/create-rate-limiter.ts'
import { RefusalError } from '../platform/http/refusals.ts'
import type { Actor } from '../platform/operations/operation.ts'
import { actingAddress } from '../platform/operator-log/append-operator-log.ts'
import { peopleRefusals } from './people.refusals.ts'

const windowMinutes = 15

/**
 * The most tries in a quarter of an hour, for one e-mail or person and from one address. The limit of an address is much higher,
 * because many resellers share the address of their mobile network.
 */
const budgets = {
  second_factor: { perPerson: 30, perAddress: 200 },
  sign_up: { perPerson: 5, perAddress: 30 },
  reset: { perPerson: 5, perAddress: 60 },
  phone_code: { perPerson: 10, perAddress: 60 },
  lost_factor: { perPerson: 3, perAddress: 30 },
  invite: { perPerson: 20, perAddress: 60 },
  confirm: { perPerson: 10, perAddress: 200 },
  passkey: { perPerson: 30, perAddress: 200 },
  directory: { perPerson: 30, perAddress: 200 },
} as const

export type ThrottleBudget = keyof typeof budgets

/**
 * The most tries with a password in a quarter of an hour. `perPlace`: for one e-mail from one known device or, for unknown
 * devices, from one address, so that a stranger's wrong passwords do not lock the owner out. `perEmail`: for one e-mail from
 * all known devices together, and from all unknown ones together, against guessing from many addresses. `perAddress`: from one
 * address, for all e-mails.
 */
const signInBudget = { perPlace: 10, perEmail: 50, perAddress: 200 } as const

/** A try to sign in. The e-mail is in small letters; `deviceId` is set if the device is known for this e-mail. */
export type SignInTry = { readonly email: string; readonly address: string; readonly deviceId: string | undefined }

/** Limits tries, with counts in the database, which all API processes share. */
export type Throttle = {
  /**
   * Counts a try before it is checked, so that many tries at once cannot pass the limit.
   * @param person the e-mail as given, the person's id, or another name for who tries; undefined: count the address alone
   * @throws RefusalError 429 with the seconds to wait
   */
  count(budget: ThrottleBudget, person: string | undefined, address: string): Promise<void>
  /** Resets a person's count after a right try. */
  resetCount(budget: ThrottleBudget, person: string): Promise<void>
  /** Counts a try to sign in, before its password is checked. @throws RefusalError 429 with the seconds to wait */
  countSignIn(tried: SignInTry): Promise<void>
  /** Resets the count of the device or address for this e-mail, after a right password. */
  resetSignIn(tried: SignInTry): Promise<void>
}

/** Makes the key of a count. It holds a hash, so that the table of counts holds no e-mail. */
function keyOf(budget: ThrottleBudget | 'sign_in', kind: string, text: string): string {
  const digest = createHash('sha256').update(text.trim().toLowerCase()).digest('base64url')
  return `person ${budget} ${kind} ${digest}`
}

function deviceOrAddressKey({ email, address, deviceId }: SignInTry): string {
  return deviceId === undefined
    ? keyOf('sign_in', 'elsewhere', `${email} ${addressGroup(address)}`)
    : keyOf('sign_in', 'device', `${email} ${deviceId}`)
}

export function createThrottle(db: Db): Throttle {
  const count = countInDatabase(db, windowMinutes * 60_000)
  async function secondsToWait(key: string, most: number): Promise<number> {
    const { requests, remainingMilliseconds } = await count(key)
    return requests > most ? Math.max(1, Math.ceil(remainingMilliseconds / 1_000)) : 0
  }
  async function countAll(mostByKey: Readonly<Record<string, number>>): Promise<void> {
    const waits = await Promise.all(Object.entries(mostByKey).map(([key, most]) => secondsToWait(key, most)))
    const waitSeconds = Math.max(...waits)
    if (waitSeconds > 0) throw new RefusalError(peopleRefusals.tooManyTries(waitSeconds))
  }
  const resetKey = (key: string) => sql`delete from rate_limits where key = ${key}`.execute(db)
  return {
    async count(budget, person, address) {
      const { perPerson, perAddress } = budgets[budget]
      await countAll({
        ...(person !== undefined && { [keyOf(budget, 'person', person)]: perPerson }),
        [keyOf(budget, 'address', addressGroup(address))]: perAddress,
      })
    },
    async resetCount(budget, person) {
      await resetKey(keyOf(budget, 'person', person))
    },
    async countSignIn(tried) {
      const { perPlace, perEmail, perAddress } = signInBudget
      const others = tried.deviceId === undefined ? 'all elsewhere' : 'all devices'
      await countAll({
        [deviceOrAddressKey(tried)]: perPlace,
        [keyOf('sign_in', others, tried.email)]: perEmail,
        [keyOf('sign_in', 'address', addressGroup(tried.address))]: perAddress,
      })
    },
    async resetSignIn(tried) {
      await resetKey(deviceOrAddressKey(tried))
    },
  }
}

/** Counts an invitation by a member of the staff. @throws RefusalError 429 with the seconds to wait */
export function countInvitation(throttle: Throttle, { person }: Actor): Promise<void> {
  return throttle.count('invite', person.personId, actingAddress() ?? '')
}

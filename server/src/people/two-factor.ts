import { RefusalError } from '../platform/http/refusals.ts'
import { callAuth } from './auth/call-auth.ts'
import { sessionTokenIn } from './auth/person-cookies.ts'
import { verifyCode } from './auth/verify-code.ts'
import { type Browser, headersFor } from './browser.ts'
import { stopOwnLostFactor } from './lost-factor/lost-factors.ts'
import { peopleRefusals } from './people.refusals.ts'
import type { PeopleDeps, SetCookies } from './people-deps.ts'

type TwoFactorDeps = Pick<PeopleDeps, 'db' | 'openAuth' | 'throttle'>

export type TwoFactorPerson = { readonly personId: string; readonly hasTwoFactor: boolean }

/** Shown only once: the address that the authenticator app reads, and back-up codes for a lost phone. */
export type TwoFactorSetUp = { readonly totpUri: string; readonly backupCodes: readonly string[] }

/**
 * Prepares a second factor, which counts only after `confirmTwoFactor`. Until then, another call replaces it.
 *
 * @throws RefusalError 401 for a wrong password, 409 when a second factor is on, 429 after too many tries
 */
export async function beginTwoFactor(
  deps: TwoFactorDeps,
  { personId, hasTwoFactor }: TwoFactorPerson,
  password: string,
  browser: Browser,
): Promise<TwoFactorSetUp> {
  if (hasTwoFactor) throw new RefusalError(peopleRefusals.secondFactorIsOn)
  await deps.throttle.count('confirm', personId, browser.address)
  const auth = await deps.openAuth()
  const { response } = await callAuth(() =>
    auth.api.enableTwoFactor({
      body: { password, method: 'totp' },
      headers: headersFor(browser, 'session'),
      returnHeaders: true,
    }),
  )
  if (response.method !== 'totp') throw new Error('the library prepared another second factor than an app')
  return { totpUri: response.totpURI, backupCodes: response.backupCodes }
}

/**
 * Switches the second factor on, once a code proves that the person's authenticator app has it. Sessions that were opened with
 * the password alone end; this browser gets a new one.
 *
 * @throws RefusalError 401 for a wrong code, 409 when a second factor is on, 429 after too many tries
 */
export async function confirmTwoFactor(
  deps: TwoFactorDeps,
  { personId, hasTwoFactor }: TwoFactorPerson,
  code: string,
  browser: Browser,
): Promise<SetCookies> {
  if (hasTwoFactor) throw new RefusalError(peopleRefusals.secondFactorIsOn)
  await deps.throttle.count('confirm', personId, browser.address)
  const { cookies } = await verifyCode(deps, { code }, headersFor(browser, 'session'))
  const token = sessionTokenIn(cookies)
  if (token === undefined) throw new Error('switching the second factor on opened no new session')
  await deps.db.deleteFrom('person_sessions').where('person_id', '=', personId).where('token', '<>', token).execute()
  await deps.db.updateTable('persons').set({ is_second_factor_due: false }).where('id', '=', personId).execute()
  return { cookies }
}

/**
 * Switches the second factor off and deletes it.
 *
 * @throws RefusalError 401 for a wrong password, 409 when no second factor is on, 429 after too many tries
 */
export async function switchTwoFactorOff(
  deps: TwoFactorDeps,
  { personId, hasTwoFactor }: TwoFactorPerson,
  password: string,
  browser: Browser,
): Promise<SetCookies> {
  if (!hasTwoFactor) throw new RefusalError(peopleRefusals.secondFactorIsOff)
  await deps.throttle.count('confirm', personId, browser.address)
  const auth = await deps.openAuth()
  const { cookies } = await callAuth(() =>
    auth.api.disableTwoFactor({ body: { password }, headers: headersFor(browser, 'session'), returnHeaders: true }),
  )
  // Ends a report of the loss. Otherwise the staff could remove a later factor, which is not lost.
  await stopOwnLostFactor(deps.db, personId)
  return { cookies }
}

/**
 * Makes new back-up codes; the old ones stop working.
 *
 * @throws RefusalError 401 for a wrong password, 409 when no second factor is on, 429 after too many tries
 */
export async function renewBackupCodes(
  deps: TwoFactorDeps,
  { personId, hasTwoFactor }: TwoFactorPerson,
  password: string,
  browser: Browser,
): Promise<readonly string[]> {
  if (!hasTwoFactor) throw new RefusalError(peopleRefusals.secondFactorIsOff)
  await deps.throttle.count('confirm', personId, browser.address)
  const auth = await deps.openAuth()
  const { response } = await callAuth(() =>
    auth.api.generateBackupCodes({ body: { password }, headers: headersFor(browser, 'session'), returnHeaders: true }),
  )
  return response.backupCodes
}

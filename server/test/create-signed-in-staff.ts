import { expect } from 'vitest'
import { hashPersonPassword } from '../src/people/auth/hash-password.ts'
import type { StaffRole } from '../src/people/permissions/staff-permissions.ts'
import { createFirstStaff } from '../src/people/staff/invite-staff.ts'
import { inTransaction } from '../src/platform/database/in-transaction.ts'
import { makeTotpCode } from './make-totp-code.ts'
import type { TestBrowser } from './open-browser.ts'
import { retryWhileOverloaded } from './retry-while-busy.ts'
import { type PeopleSetUp, testPassword } from './set-up-people.ts'

type StaffOptions = {
  /** False where the app was started without the rule that staff need one (`isStaffTwoFactorNeeded`). True if left out. */
  readonly hasSecondFactor?: boolean
}

/** Makes one of the operator's staff, who signs in with a browser of their own and sets up a second factor. */
export async function createSignedInStaff(
  shop: Pick<PeopleSetUp, 'db' | 'browser'>,
  email: string,
  role: StaffRole,
  { hasSecondFactor = true }: StaffOptions = {},
): Promise<TestBrowser> {
  const passwordHash = await hashPersonPassword(testPassword)
  await inTransaction(shop.db, (tx) => createFirstStaff(tx, { email, role, passwordHash, actor: 'test' }))
  const browser = await shop.browser()
  const signIn = () => browser.ask('POST', '/desk/api/sign-in', { email, password: testPassword })
  expect((await retryWhileOverloaded(signIn)).status).toBe(200)
  if (hasSecondFactor) {
    const { data } = (await browser.ask('POST', '/desk/api/two-factor', { password: testPassword })).body
    expect((await browser.ask('POST', '/desk/api/two-factor/confirm', { code: makeTotpCode(data.totp_uri) })).status).toBe(200)
  }
  // All browsers of a test have one address, so their sign-ins would soon be too many.
  await shop.db.deleteFrom('rate_limits').execute()
  return browser
}

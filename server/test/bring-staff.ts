import { expect } from 'vitest'
import { hashPersonPassword } from '../src/people/auth/open-auth.ts'
import { createStaff } from '../src/people/manage-people.ts'
import type { StaffRole } from '../src/people/permissions/staff-permissions.ts'
import { inTransaction } from '../src/platform/database/in-transaction.ts'
import { makeCode } from './make-code.ts'
import type { TestBrowser } from './open-browser.ts'
import { type PeopleSetUp, testPassword } from './set-up-people.ts'

/** Somebody of the staff who is signed in with a second factor. */
export async function bringStaff(shop: PeopleSetUp, email: string, role: StaffRole): Promise<TestBrowser> {
  const passwordHash = await hashPersonPassword(testPassword)
  await inTransaction(shop.db, (tx) => createStaff(tx, { email, role, passwordHash, actor: 'test' }))
  const browser = await shop.browser()
  await browser.ask('POST', '/desk/api/sign-in', { email, password: testPassword })
  const { data } = (await browser.ask('POST', '/desk/api/two-factor', { password: testPassword })).body
  expect((await browser.ask('POST', '/desk/api/two-factor/confirm', { code: makeCode(data.totp_uri) })).status).toBe(200)
  return browser
}

import { hashPersonPassword } from '../src/people/auth/open-auth.ts'
import { createStaff } from '../src/people/manage-people.ts'
import type { StaffRole } from '../src/people/permissions/staff-permissions.ts'
import type { Db } from '../src/platform/database/database.ts'
import { inTransaction } from '../src/platform/database/in-transaction.ts'
import { makeCode } from './make-code.ts'
import type { TestBrowser } from './open-browser.ts'
import { testPassword } from './set-up-people.ts'

/** Makes one of the operator's staff, with a second factor, and signs the person in with this browser. */
export async function signInStaff(
  db: Db,
  browser: TestBrowser,
  { email, role }: { email: string; role: StaffRole },
): Promise<void> {
  const passwordHash = await hashPersonPassword(testPassword)
  await inTransaction(db, (tx) => createStaff(tx, { email, passwordHash, role, actor: 'test' }))
  await browser.ask('POST', '/desk/api/sign-in', { email, password: testPassword })
  const { data } = (await browser.ask('POST', '/desk/api/two-factor', { password: testPassword })).body
  await browser.ask('POST', '/desk/api/two-factor/confirm', { code: makeCode(data.totp_uri) })
  await db.deleteFrom('rate_limits').execute()
}

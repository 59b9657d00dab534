import { expect } from 'vitest'
import { createSignedInStaff } from '../../test/create-signed-in-staff.ts'
import type { TestBrowser } from '../../test/open-browser.ts'
import { type PeopleSetUp, testPassword } from '../../test/set-up-people.ts'
import type { StaffRole } from './permissions/staff-permissions.ts'

/** The status of an answer, and the reason of its refusal. */
export const reasonOf = ({ status, headers }: { status: number; headers: object }) => [
  status,
  Reflect.get(headers, 'x-error-reason'),
]

/** Functions with which tests make the staff of a shop, sign them in, and read the operator's log. */
export function staffAtDesk(shop: PeopleSetUp) {
  /** Signs a staff member in with another browser, as if the second factor had been given. */
  async function signInStaff(email: string): Promise<TestBrowser> {
    const browser = await shop.browser()
    await shop.db.updateTable('persons').set({ two_factor_enabled: false }).where('email', '=', email).execute()
    expect((await browser.ask('POST', '/desk/api/sign-in', { email, password: testPassword })).status).toBe(200)
    await shop.db.updateTable('persons').set({ two_factor_enabled: true }).where('email', '=', email).execute()
    return browser
  }

  const makeStaffMember = (role: StaffRole, email: string) => createSignedInStaff(shop, email, role)

  async function newestLog() {
    const columns = ['actor', 'action', 'subject', 'details'] as const
    return shop.db.selectFrom('operator_log').select(columns).orderBy('id', 'desc').executeTakeFirstOrThrow()
  }

  return { signInStaff, makeStaffMember, newestLog }
}

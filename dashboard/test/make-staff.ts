import { hashPersonPassword } from '../../server/src/people/auth/hash-password.ts'
import { type StaffPermission, type StaffRole, staffPermissions } from '../../server/src/people/permissions/staff-permissions.ts'
import { createFirstStaff } from '../../server/src/people/staff/invite-staff.ts'
import type { Db } from '../../server/src/platform/database/database.ts'
import { inTransaction } from '../../server/src/platform/database/in-transaction.ts'
import { passwordOfAll } from './make-team.ts'

/** A person of the operator's staff. The second owner confirms what the first owner proposes. */
export type StaffVisitor = `staff ${StaffRole}` | 'staff second owner'

const everyPermission: Readonly<Record<StaffPermission, readonly StaffRole[]>> = staffPermissions

/** Every role of the staff, read from the table of permissions. */
export const staffRoles: readonly StaffRole[] = [...new Set(Object.values(everyPermission).flat())]

const visitors: readonly StaffVisitor[] = [...staffRoles.map((role) => `staff ${role}` as const), 'staff second owner']

export const isStaffVisitor = (name: string): name is StaffVisitor => (visitors as readonly string[]).includes(name)

export const emailOfStaff = (visitor: StaffVisitor): string => `${visitor.slice('staff '.length).replace(' ', '-')}@desk.test`

const roleOf = (visitor: StaffVisitor): StaffRole =>
  visitor === 'staff second owner' ? 'owner' : (visitor.slice('staff '.length) as StaffRole)

/** Makes one person of each role and a second owner, who sign in with `passwordOfAll`. */
export async function makeStaff(db: Db): Promise<void> {
  const passwordHash = await hashPersonPassword(passwordOfAll)
  await inTransaction(db, async (tx) => {
    for (const visitor of visitors) {
      await createFirstStaff(tx, { email: emailOfStaff(visitor), role: roleOf(visitor), passwordHash, actor: 'test' })
    }
  })
}

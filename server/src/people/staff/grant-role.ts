import Type, { type TUnsafe } from 'typebox'
import { defineLoosening, isBeingSetUp, type LooseningResult } from '../../guards/loosening.ts'
import { ApprovalRefusedError } from '../../platform/approvals/approval-kind.ts'
import { recordGivenRight } from '../../platform/approvals/given-rights.ts'
import type { Person } from '../../platform/approvals/two-people.ts'
import type { Tx } from '../../platform/database/database.ts'
import { createStaff, type Invitation, type InvitedPerson } from '../manage-people.ts'
import { permissionsOfStaff, type StaffRole, staffRoles } from '../permissions/staff-permissions.ts'
import { lockStaff, setStaffRole } from './manage-staff.ts'

/** This role only reads, so one person alone may give it. */
const readOnlyRole = 'auditor' satisfies StaffRole

const RoleRequest = Type.Object({
  personId: Type.String(),
  email: Type.String(),
  role: Type.Unsafe<StaffRole>({ type: 'string', enum: [...staffRoles] }) satisfies TUnsafe<StaffRole>,
  givenBy: Type.Object({
    by: Type.String(),
    osUser: Type.String(),
    personId: Type.Union([Type.String(), Type.Null()]),
  }),
})

/** True when the role `after` has a permission that `before` lacks. Permissions to read do not count. */
function addsRights(before: StaffRole, after: StaffRole): boolean {
  const held: readonly string[] = [...permissionsOfStaff(readOnlyRole), ...permissionsOfStaff(before)]
  return permissionsOfStaff(after).some((permission) => !held.includes(permission))
}

const granting = defineLoosening({
  name: 'staff set-role',
  schema: RoleRequest,
  subjectOf: ({ personId }) => personId,
  describe: ({ email, role }) => `give ${email} the role ${role} at the desk`,
  async lockAndPreview(tx, { email, role }) {
    const { role: before } = await lockStaff(tx, email)
    if (before === role) throw new ApprovalRefusedError(`${email} has the role ${role} already.`)
    return { before, after: role }
  },
  async do(tx, { personId, email, role, givenBy }, { looseningId, actor }) {
    // While the installation is being set up, before the first money, no second person exists to agree.
    if (!(await isBeingSetUp(tx))) await recordGivenRight(tx, { personId, email, role }, givenBy)
    await setStaffRole(tx, { email, role, actor, looseningId })
  },
})

export const grantKind = granting.kind

export type RoleChange = { readonly email: string; readonly role: StaffRole; readonly person: Person; readonly reason?: string }

/**
 * Changes the role of a member of the staff. Fewer rights take effect at once; more rights take two people.
 * @throws AccountError when the person is not staff or has the role already, LastOwnerError when no owner would be left
 */
export async function changeStaffRole(tx: Tx, { email, role, person, reason = '' }: RoleChange): Promise<LooseningResult> {
  const { personId, email: known, role: before } = await lockStaff(tx, email)
  if (!addsRights(before, role)) {
    await setStaffRole(tx, { email, role, actor: person.by })
    return { state: 'done' }
  }
  const givenBy = { by: person.by, osUser: person.osUser, personId: person.personId ?? null }
  return granting.ask(tx, { request: { personId, email: known, role, givenBy }, reason, person })
}

/** The person, and whether the role is in force. */
export type AddedStaff = InvitedPerson & { readonly granted: LooseningResult }

/**
 * Makes a person one of the staff. Where the role needs a second person, the new person begins as auditor, who may only read.
 * @throws AccountError as `createStaff` does
 */
export async function addStaff(
  tx: Tx,
  { role, person, ...invitation }: Omit<Invitation, 'actor'> & { readonly role: StaffRole; readonly person: Person },
): Promise<AddedStaff> {
  const isAtOnce = role === readOnlyRole || (await isBeingSetUp(tx))
  const invited = await createStaff(tx, { ...invitation, role: isAtOnce ? role : readOnlyRole, actor: person.by })
  const { personId, email } = invited
  if (!isAtOnce) {
    return { ...invited, granted: await changeStaffRole(tx, { email, role, person, reason: `${person.by} lets ${email} in` }) }
  }
  const givenBy = { by: person.by, osUser: person.osUser, personId: person.personId ?? null }
  if (role !== readOnlyRole) await granting.recordGiven(tx, { personId, email, role, givenBy })
  return { ...invited, granted: { state: 'done' } }
}

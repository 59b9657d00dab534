import { sql } from 'kysely'
import type { Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/new-id.ts'
import { createStaff, type Invitation, type InvitedPerson } from '../manage-people.ts'
import type { StaffRole } from '../permissions/staff-permissions.ts'
import { grantKind } from './grant-role.ts'

/**
 * Makes a member of the staff whose role counts as given at the beginning, without an approval: for demos and tests, which invent
 * a history.
 */
export async function createFirstStaff(tx: Tx, staff: Invitation & { readonly role: StaffRole }): Promise<InvitedPerson> {
  const invited = await createStaff(tx, staff)
  await sql`
    insert into loosenings (id, kind, subject, value, at)
    values (${newId()}, ${grantKind.name}, ${invited.personId}, ${JSON.stringify({ role: staff.role })}, 'epoch')`.execute(tx)
  return invited
}

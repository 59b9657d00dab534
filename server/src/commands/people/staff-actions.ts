import { readConfig } from '../../config.ts'
import { createStaff, listStaff, removeStaff } from '../../people/manage-people.ts'
import type { StaffRole } from '../../people/permissions/staff-permissions.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { operatorName } from '../frame/operator-name.ts'
import { printResult } from '../frame/print-result.ts'
import { readChoice } from '../frame/read-options.ts'
import { withDatabase } from '../frame/with-database.ts'
import { type InvitationOptions, printPersons, runInvitation } from './invite-person.ts'

export type NewStaffOptions = InvitationOptions & { readonly role: string }

const roles: readonly StaffRole[] = ['owner', 'finance', 'support', 'catalogue', 'auditor']

/** `makola staff create`. */
export async function runStaffCreate(options: NewStaffOptions): Promise<void> {
  const role = readChoice('--role', options.role, roles)
  await runInvitation(options, '/desk/set-password', (tx, invitation) => createStaff(tx, { ...invitation, role }))
}

/** `makola staff list`. */
export async function runStaffList(): Promise<void> {
  printPersons(await withDatabase(readConfig(), listStaff), 'There are no staff yet.')
}

/** `makola staff remove`. */
export async function runStaffRemove(email: string): Promise<void> {
  const removed = await withDatabase(readConfig(), (db) =>
    inTransaction(db, (tx) => removeStaff(tx, { email, actor: operatorName() })),
  )
  printResult({ person_id: removed.personId, email: removed.email }, `${removed.email} is not one of the staff any more.`)
}

import { readConfig } from '../../config.ts'
import { createStaff } from '../../people/manage-people.ts'
import { staffRoles } from '../../people/permissions/staff-permissions.ts'
import { endStaffSessions, listStaff, removeStaff, setStaffRole } from '../../people/staff/manage-staff.ts'
import { resetSecondFactor } from '../../people/staff/reset-second-factor.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { operatorName } from '../frame/operator-name.ts'
import { printResult } from '../frame/print-result.ts'
import { readChoice, readText } from '../frame/read-options.ts'
import { withDatabase } from '../frame/with-database.ts'
import { type InvitationOptions, printPersons, runInvitation } from './invite-person.ts'

export type NewStaffOptions = InvitationOptions & { readonly role: string }

/** `makola staff create`. */
export async function runStaffCreate(options: NewStaffOptions): Promise<void> {
  const role = readChoice('--role', options.role, staffRoles)
  await runInvitation(options, '/desk/set-password', (tx, invitation) => createStaff(tx, { ...invitation, role }))
}

/** `makola staff list`. */
export async function runStaffList(): Promise<void> {
  printPersons(await withDatabase(readConfig(), listStaff), 'There are no staff yet.')
}

/** `makola staff set-role`. */
export async function runStaffSetRole(options: { email: string; role: string }): Promise<void> {
  const role = readChoice('--role', options.role, staffRoles)
  const changed = await withDatabase(readConfig(), (db) =>
    inTransaction(db, (tx) => setStaffRole(tx, { email: options.email, role, actor: operatorName() })),
  )
  printResult({ person_id: changed.personId, email: changed.email, role }, `${changed.email} is ${role} now.`)
}

/** `makola staff remove`. */
export async function runStaffRemove({ email, reason }: { email: string; reason?: string }): Promise<void> {
  const removed = await withDatabase(readConfig(), (db) =>
    inTransaction(db, (tx) => removeStaff(tx, { email, reason, actor: operatorName() })),
  )
  printResult({ person_id: removed.personId, email: removed.email }, `${removed.email} is not one of the staff any more.`)
}

/** `makola staff end-sessions`. */
export async function runStaffEndSessions(email: string): Promise<void> {
  const ended = await withDatabase(readConfig(), (db) =>
    inTransaction(db, (tx) => endStaffSessions(tx, { email, actor: operatorName() })),
  )
  const document = { person_id: ended.personId, email: ended.email, ended: ended.ended }
  printResult(document, `${ended.ended} sessions of ${ended.email} were ended.`)
}

/** `makola staff reset-second-factor` and `makola member reset-second-factor`. */
export async function runResetSecondFactor(options: { email: string; reason: string }): Promise<void> {
  const reason = readText('--reason', options.reason)
  const person = await withDatabase(readConfig(), (db) =>
    inTransaction(db, (tx) => resetSecondFactor(tx, { email: options.email, reason, actor: operatorName() })),
  )
  printResult(
    { person_id: person.personId, email: person.email, has_two_factor: false },
    `${person.email} signs in with the password alone next time, and is told by mail.`,
  )
}

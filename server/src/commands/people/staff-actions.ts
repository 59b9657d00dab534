import { readConfig } from '../../config.ts'
import { describeLoosening } from '../../guards/describe-loosening.ts'
import { readPersonByEmail } from '../../people/manage-people.ts'
import { staffRoles } from '../../people/permissions/staff-permissions.ts'
import { addStaff, changeStaffRole } from '../../people/staff/grant-role.ts'
import { endStaffSessions, listStaff, removeStaff } from '../../people/staff/manage-staff.ts'
import { resetSecondFactor } from '../../people/staff/reset-second-factor.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { operatorName, personOf } from '../frame/operator-name.ts'
import { printResult } from '../frame/print-result.ts'
import { checkText, readChoice, readText } from '../frame/read-options.ts'
import { withDatabase } from '../frame/with-database.ts'
import { type InvitationOptions, printPersons, runInvitation } from './invite-person.ts'

export type NewStaffOptions = InvitationOptions & { readonly role: string; readonly by?: string }

export async function runStaffCreate(options: NewStaffOptions): Promise<void> {
  const role = readChoice('--role', options.role, staffRoles)
  await runInvitation(options, '/desk/set-password', async (tx, { actor: _actor, ...invitation }) => {
    const { granted, ...invited } = await addStaff(tx, { ...invitation, role, person: personOf(options.by) })
    return granted.state === 'done' ? invited : { ...invited, approvalId: granted.approvalId }
  })
}

export async function runStaffList(): Promise<void> {
  printPersons(await withDatabase(readConfig(), listStaff), 'There are no staff yet.')
}

export async function runStaffSetRole(options: { email: string; role: string; by?: string }): Promise<void> {
  const role = readChoice('--role', options.role, staffRoles)
  checkText('--by', options.by)
  const person = personOf(options.by)
  const { email } = options
  const { changed, personId } = await withDatabase(readConfig(), (db) =>
    inTransaction(db, async (tx) => ({
      changed: await changeStaffRole(tx, { email, role, person }),
      personId: (await readPersonByEmail(tx, email)).id,
    })),
  )
  if (changed.state === 'done') return printResult({ person_id: personId, email, role }, `${email} is ${role} now.`)
  const { approvalId } = changed
  printResult({ person_id: personId, email, approval_id: approvalId, status: 'pending' }, describeLoosening(approvalId))
}

export async function runStaffRemove({ email, reason }: { email: string; reason?: string }): Promise<void> {
  const removed = await withDatabase(readConfig(), (db) =>
    inTransaction(db, (tx) => removeStaff(tx, { email, reason, actor: operatorName() })),
  )
  printResult({ person_id: removed.personId, email: removed.email }, `${removed.email} is not one of the staff any more.`)
}

export async function runStaffEndSessions(email: string): Promise<void> {
  const ended = await withDatabase(readConfig(), (db) =>
    inTransaction(db, (tx) => endStaffSessions(tx, { email, actor: operatorName() })),
  )
  const document = { person_id: ended.personId, email: ended.email, ended: ended.ended }
  printResult(document, `${ended.ended} sessions of ${ended.email} were ended.`)
}

export async function runResetSecondFactor(options: { email: string; reason: string }): Promise<void> {
  const reason = readText('--reason', options.reason)
  const person = await withDatabase(readConfig(), (db) =>
    inTransaction(db, (tx) => resetSecondFactor(tx, { email: options.email, reason, actor: operatorName() })),
  )
  printResult(
    { person_id: person.personId, email: person.email, has_two_factor: false },
    `${person.email} signs in with the password alone next time, and gets a mail about it.`,
  )
}

import { AccountError } from '../../accounts/account.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { appendOperatorLog } from '../../platform/operator-log/append-operator-log.ts'
import { queuePersonMail } from '../mails/queue-person-mail.ts'
import { readPersonByEmail } from '../manage-people.ts'
import type { MemberRole } from '../permissions/member-permissions.ts'
import type { StaffRole } from '../permissions/staff-permissions.ts'

export type PersonRoles = {
  readonly personId: string
  readonly name: string
  readonly email: string
  readonly hasTwoFactor: boolean
  readonly staffRole: StaffRole | null
  readonly member: { readonly accountId: string; readonly accountName: string; readonly role: MemberRole } | null
}

export async function findPersonRoles(db: Db | Tx, email: string): Promise<PersonRoles | undefined> {
  const row = await db
    .selectFrom('persons')
    .leftJoin('staff', 'staff.person_id', 'persons.id')
    .leftJoin('members', 'members.person_id', 'persons.id')
    .leftJoin('accounts', 'accounts.id', 'members.account_id')
    .select([
      'persons.id',
      'persons.name',
      'persons.email',
      'persons.two_factor_enabled',
      'staff.role as staff_role',
      'members.role as member_role',
      'accounts.id as account_id',
      'accounts.name as account_name',
    ])
    .where('persons.email', '=', email.trim().toLowerCase())
    .executeTakeFirst()
  if (!row) return undefined
  const { account_id: accountId, account_name: accountName, member_role: role } = row
  return {
    personId: row.id,
    name: row.name,
    email: row.email,
    hasTwoFactor: row.two_factor_enabled,
    staffRole: row.staff_role,
    member: accountId !== null && accountName !== null && role !== null ? { accountId, accountName, role } : null,
  }
}

export type SecondFactorReset = {
  readonly email: string
  readonly reason: string
  readonly actor: string
  /** For a member of an account: the approval of this reset. */
  readonly approvalId?: string
}

/**
 * Removes a lost second factor, ends all sessions, and tells the person by mail. After the next sign-in, a member must switch a
 * new one on before anything else, and so must staff who need one. The password stays, so a reset alone lets nobody else in. A
 * member must also confirm the e-mail anew, with the link of the mail and the password, so the password alone is not enough.
 *
 * @throws AccountError when there is no such person, or the second factor is off
 */
export async function resetSecondFactor(tx: Tx, { email, reason, actor, approvalId }: SecondFactorReset): Promise<PersonRoles> {
  const { id } = await readPersonByEmail(tx, email)
  // Not for update: who has locked a session, and writes a row of its person, would wait for this.
  await tx.selectFrom('persons').select('id').where('id', '=', id).forNoKeyUpdate().execute()
  const person = await findPersonRoles(tx, email)
  if (!person?.hasTwoFactor) throw new AccountError(`${email.trim().toLowerCase()} has no second factor switched on.`)
  await tx.deleteFrom('person_two_factors').where('person_id', '=', id).execute()
  // The person may have lost the directory account, too, and may use a new one.
  await tx.updateTable('staff').set({ directory_subject: null }).where('person_id', '=', id).execute()
  const isMember = person.staffRole === null && person.member !== null
  await tx
    .updateTable('persons')
    .set({ two_factor_enabled: false, ...(isMember && { is_second_factor_due: true, email_verified: false }) })
    .where('id', '=', id)
    .execute()
  await tx.deleteFrom('lost_factors').where('person_id', '=', id).execute()
  const ended = await tx.deleteFrom('person_sessions').where('person_id', '=', id).returning('id').execute()
  await queuePersonMail(tx, 'second_factor_reset', person.email)
  await appendOperatorLog(tx, {
    actor,
    action: isMember ? 'member reset-second-factor' : 'staff reset-second-factor',
    subject: isMember && person.member ? person.member.accountId : id,
    details: {
      email: person.email,
      person_id: id,
      reason,
      ...(approvalId !== undefined && { approval_id: approvalId }),
      before: { second_factor: true, sessions: ended.length },
      after: { second_factor: false, sessions: 0 },
    },
  })
  return person
}

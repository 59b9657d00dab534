import { sql } from 'kysely'
import { AccountError, LastOwnerError } from '../../accounts/account.ts'
import { refuseApproval } from '../../platform/approvals/decide-approval.ts'
import { recordEndedRight } from '../../platform/approvals/given-rights.ts'
import { deskUser } from '../../platform/approvals/two-people.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { appendOperatorLog } from '../../platform/operator-log/append-operator-log.ts'
import { readPersonByEmail } from '../manage-people.ts'
import type { StaffRole } from '../permissions/staff-permissions.ts'

export type StaffMember = {
  readonly personId: string
  readonly name: string
  readonly email: string
  readonly role: StaffRole
  readonly hasTwoFactor: boolean
  /** The number of passkeys, which serve in place of codes. */
  readonly passkeys: number
  /** False: the person has set no password yet, but may sign in by the directory. */
  readonly hasPassword: boolean
  readonly createdAt: Date
  /** The number of open sessions. */
  readonly sessions: number
  /** The last use of an open session, to within five minutes; null without one. */
  readonly lastUsedAt: Date | null
}

/** Lists the operator's staff in the order in which they joined. */
export async function listStaff(db: Db): Promise<StaffMember[]> {
  const { rows } = await sql<StaffMember>`
    select persons.id as "personId", persons.name, persons.email, staff.role,
      persons.two_factor_enabled as "hasTwoFactor",
      (select count(*)::int from person_passkeys where person_id = persons.id) as passkeys,
      exists (select from person_credentials where person_id = persons.id) as "hasPassword",
      staff.created_at as "createdAt", open.sessions, open.last_used_at as "lastUsedAt"
    from staff join persons on persons.id = staff.person_id
    cross join lateral (
      select count(*)::int as sessions, max(updated_at) as last_used_at
      from person_sessions where person_id = persons.id and expires_at > clock_timestamp()
    ) as open
    order by staff.created_at, persons.id`.execute(db)
  return rows
}

export async function findStaffEmail(db: Db | Tx, personId: string): Promise<string | undefined> {
  const person = await db
    .selectFrom('staff')
    .innerJoin('persons', 'persons.id', 'staff.person_id')
    .select('persons.email')
    .where('staff.person_id', '=', personId)
    .executeTakeFirst()
  return person?.email
}

export type StaffChange = { readonly email: string; readonly actor: string }
export type ChangedPerson = { readonly personId: string; readonly email: string }

/**
 * Locks a member of the staff and all owners: if two owners remove each other at the same time, the removals are decided one
 * after the other. Before that, the proposals about the person's role, and those that the person made, as a confirmation does.
 * `isLastOwner`: without this person, nobody could invite others.
 */
export async function lockStaff(tx: Tx, email: string): Promise<ChangedPerson & { role: StaffRole; isLastOwner: boolean }> {
  const person = await readPersonByEmail(tx, email)
  await sql`
    select from approvals
    where state = 'pending' and ((kind = 'staff set-role' and key = ${person.id}) or proposed_os_user = ${deskUser(person.email)})
    order by kind = 'staff set-role' and key = ${person.id} desc, id for update`.execute(tx)
  const locked = await tx
    .selectFrom('staff')
    .select(['person_id', 'role'])
    .where((is) => is.or([is('role', '=', 'owner'), is('person_id', '=', person.id)]))
    .orderBy('person_id')
    .forUpdate()
    .execute()
  const role = locked.find(({ person_id: id }) => id === person.id)?.role
  if (!role) throw new AccountError(`${person.email} is not one of the staff.`)
  const isLastOwner = role === 'owner' && locked.filter((row) => row.role === 'owner').length === 1
  return { personId: person.id, email: person.email, role, isLastOwner }
}

/**
 * Refuses the proposals that the person made at the desk and that wait for a second person. Deletes the person's invitations
 * that nobody has accepted.
 */
async function endUnfinishedWork(tx: Tx, email: string, actor: string): Promise<void> {
  const note = `${email} has not the same rights any more.`
  const waiting = await tx
    .selectFrom('approvals')
    .select('id')
    .where('state', '=', 'pending')
    .where('proposed_os_user', '=', deskUser(email))
    .orderBy('id')
    .execute()
  for (const { id } of waiting) await refuseApproval(tx, { approvalId: id, person: { by: actor, osUser: actor }, note })
  await tx.deleteFrom('member_invitations').where('actor', '=', email).execute()
}

const lastOwner = (email: string) =>
  new LastOwnerError(`${email} is the last owner of this installation. Make somebody else an owner first.`)

/**
 * Changes a role from the next request on, without a second person; `changeStaffRole` asks for one where that is needed. The
 * person's waiting proposals are refused and their open invitations deleted, whatever the new role is.
 *
 * @throws AccountError when the person is not staff or has the role already, LastOwnerError when no owner would be left
 */
export async function setStaffRole(
  tx: Tx,
  { email, role, actor, looseningId }: StaffChange & { readonly role: StaffRole; readonly looseningId?: string },
): Promise<ChangedPerson> {
  const { personId, email: known, role: before, isLastOwner } = await lockStaff(tx, email)
  if (isLastOwner && role !== 'owner') throw lastOwner(known)
  if (before === role) throw new AccountError(`${known} has the role ${role} already.`)
  await tx.updateTable('staff').set({ role }).where('person_id', '=', personId).execute()
  await recordEndedRight(tx, { personId, email: known, role: before }, actor)
  await endUnfinishedWork(tx, known, actor)
  const details = {
    email: known,
    before: { role: before },
    after: { role },
    ...(looseningId !== undefined && { loosening_id: looseningId }),
  }
  await appendOperatorLog(tx, { actor, action: 'staff set-role', subject: personId, details })
  return { personId, email: known }
}

/**
 * Removes a person from the staff. Ends their sessions, refuses their waiting proposals, and deletes their invitations that
 * nobody has accepted.
 *
 * @throws AccountError when nobody has this e-mail or the person is not staff, LastOwnerError when no owner would be left
 */
export async function removeStaff(
  tx: Tx,
  { email, reason, actor }: StaffChange & { readonly reason?: string | undefined },
): Promise<ChangedPerson> {
  const { personId, email: known, role, isLastOwner } = await lockStaff(tx, email)
  if (isLastOwner) throw lastOwner(known)
  await tx.deleteFrom('staff').where('person_id', '=', personId).execute()
  await tx.deleteFrom('person_sessions').where('person_id', '=', personId).execute()
  await recordEndedRight(tx, { personId, email: known, role }, actor)
  await endUnfinishedWork(tx, known, actor)
  const details = { email: known, ...(reason !== undefined && { reason }), before: { role }, after: null }
  await appendOperatorLog(tx, { actor, action: 'staff remove', subject: personId, details })
  return { personId, email: known }
}

/**
 * Ends all sessions of a member of the staff.
 *
 * @returns how many there were
 * @throws AccountError when the person is not staff
 */
export async function endStaffSessions(tx: Tx, { email, actor }: StaffChange): Promise<ChangedPerson & { ended: number }> {
  const { personId, email: known } = await lockStaff(tx, email)
  const sessions = await tx.deleteFrom('person_sessions').where('person_id', '=', personId).returning('id').execute()
  const details = { email: known, before: { sessions: sessions.length }, after: { sessions: 0 } }
  await appendOperatorLog(tx, { actor, action: 'staff end-sessions', subject: personId, details })
  return { personId, email: known, ended: sessions.length }
}

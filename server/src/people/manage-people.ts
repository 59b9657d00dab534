import { AccountError, AccountValueError, LastOwnerError } from '../accounts/account.ts'
import { readAccount } from '../accounts/find-account.ts'
import { dropFloorOf } from '../money/top-ups/balance-floors.ts'
import type { Db, Tx } from '../platform/database/database.ts'
import { onConstraint } from '../platform/database/database-errors.ts'
import { newId } from '../platform/database/new-id.ts'
import { RefusalError } from '../platform/http/refusals.ts'
import { appendOperatorLog } from '../platform/operator-log/append-operator-log.ts'
import { peopleRefusals } from './people.refusals.ts'
import type { MemberRole } from './permissions/member-permissions.ts'
import type { StaffRole } from './permissions/staff-permissions.ts'
import { findPersonByEmail, insertPerson, setPassword } from './person-rows.ts'

/** E-mail addresses that can sign in: letters, digits and a few signs of ASCII, as mail programs write them. */
export const personEmailPattern =
  "^(?!\\.)(?!.*\\.\\.)[A-Za-z0-9_'+.-]*[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9-]*\\.)+[A-Za-z]{2,}$"

const emailLengthMax = 254

/** A person whom the operator invites, or who accepts an owner's invitation. */
export type Invitation = {
  readonly email: string
  /** Undefined: the person chooses a password with a link. */
  readonly passwordHash: string | undefined
  /** Who invites the person, for the operator's log. */
  readonly actor: string
}

export type InvitedPerson = { readonly personId: string; readonly email: string; readonly isPasswordSet: boolean }

/** Puts an e-mail into lower case. @throws AccountValueError when it cannot sign in */
export function checkPersonEmail(text: string): string {
  const email = text.trim().toLowerCase()
  if (email.length > emailLengthMax || !new RegExp(personEmailPattern).test(email)) {
    throw new AccountValueError(`${JSON.stringify(text)} is not an e-mail address that can sign in.`)
  }
  return email
}

/**
 * Deletes the sessions and the password of a sign-up whose e-mail was never confirmed, because somebody else may have made it.
 * Then the e-mail counts as confirmed.
 */
async function dropUnconfirmedSignUp(tx: Tx, personId: string): Promise<void> {
  await tx.deleteFrom('person_credentials').where('person_id', '=', personId).execute()
  await tx.deleteFrom('person_sessions').where('person_id', '=', personId).execute()
  await tx.updateTable('persons').set({ email_verified: true }).where('id', '=', personId).execute()
}

async function hasPassword(tx: Tx, personId: string): Promise<boolean> {
  const row = await tx.selectFrom('person_credentials').select('id').where('person_id', '=', personId).executeTakeFirst()
  return row !== undefined
}

/**
 * Finds or makes the person of an e-mail. The e-mail counts as confirmed, because the operator named it or its reader opened the
 * link of an invitation.
 * @throws AccountError for an e-mail that cannot sign in, and for a hash when the person has a password
 */
async function invitePerson(tx: Tx, { email: given, passwordHash }: Invitation): Promise<InvitedPerson> {
  const email = checkPersonEmail(given)
  const madeId = newId()
  const [name = email] = email.split('@')
  const isNew = await insertPerson(tx, { personId: madeId, name, email, isVerified: true })
  // Two invitations of a person at the same moment are decided one after the other. Sessions may begin meanwhile.
  const persons = tx.selectFrom('persons').select(['id', 'email_verified']).where('email', '=', email).forNoKeyUpdate()
  const known = isNew ? undefined : await persons.executeTakeFirst()
  if (known && !known.email_verified) await dropUnconfirmedSignUp(tx, known.id)
  const personId = known?.id ?? madeId
  const hadPassword = await hasPassword(tx, personId)
  if (hadPassword && passwordHash !== undefined) {
    throw new AccountError(`${email} has a password already, which only its owner changes. Leave --password-stdin out.`)
  }
  if (passwordHash !== undefined) await setPassword(tx, personId, passwordHash)
  return { personId, email, isPasswordSet: hadPassword || passwordHash !== undefined }
}

/**
 * Makes a person a member of an account. A person acts for one account only.
 *
 * @throws AccountError when there is no such account, or the person is a member of one; also as `invitePerson` does
 */
export async function createMember(
  tx: Tx,
  member: Invitation & { readonly account: string; readonly role: MemberRole },
): Promise<InvitedPerson & { readonly accountId: string }> {
  const { accountId } = await readAccount(tx, member.account)
  const invited = await invitePerson(tx, member)
  await tx
    .insertInto('members')
    .values({ account_id: accountId, person_id: invited.personId, role: member.role })
    .execute()
    .catch(
      onConstraint(
        'members_one_account_per_person',
        (cause) =>
          new AccountError(`${invited.email} is a member of an account already; one person acts for one account.`, { cause }),
      ),
    )
  const details = { email: invited.email, role: member.role, person_id: invited.personId }
  await appendOperatorLog(tx, { actor: member.actor, action: 'member create', subject: accountId, details })
  return { ...invited, accountId }
}

/**
 * Makes a person one of the operator's staff.
 *
 * @throws AccountError when the person is staff already; also as `invitePerson` does
 */
export async function createStaff(tx: Tx, staff: Invitation & { readonly role: StaffRole }): Promise<InvitedPerson> {
  const invited = await invitePerson(tx, staff)
  await tx
    .insertInto('staff')
    .values({ person_id: invited.personId, role: staff.role })
    .execute()
    .catch(
      onConstraint(
        'staff_once_per_person',
        (cause) => new AccountError(`${invited.email} is one of the staff already.`, { cause }),
      ),
    )
  const details = { email: invited.email, before: null, after: { role: staff.role } }
  await appendOperatorLog(tx, { actor: staff.actor, action: 'staff create', subject: invited.personId, details })
  return invited
}

export async function listMembers(db: Db, account: string) {
  const { accountId } = await readAccount(db, account)
  return db
    .selectFrom('members')
    .innerJoin('persons', 'persons.id', 'members.person_id')
    .leftJoin('lost_factors', 'lost_factors.person_id', 'members.person_id')
    .select([
      'persons.id as personId',
      'persons.name',
      'persons.email',
      'members.role',
      'persons.two_factor_enabled as hasTwoFactor',
      'lost_factors.asked_at as factorLostAt',
    ])
    .where('members.account_id', '=', accountId)
    .orderBy('members.created_at')
    .execute()
}

/** @throws AccountError when nobody has this e-mail */
export async function readPersonByEmail(tx: Tx, email: string) {
  const person = await findPersonByEmail(tx, email)
  if (!person) throw new AccountError(`There is no person with the e-mail ${email}.`)
  return person
}

export async function findMemberEmail(tx: Tx | Db, accountId: string, personId: string): Promise<string | undefined> {
  const member = await tx
    .selectFrom('members')
    .innerJoin('persons', 'persons.id', 'members.person_id')
    .select('persons.email')
    .where('members.account_id', '=', accountId)
    .where('members.person_id', '=', personId)
    .executeTakeFirst()
  return member?.email
}

/** @throws RefusalError 404 when the person is no member of the account */
export async function mustBeMember(db: Db, accountId: string, personId: string): Promise<void> {
  if ((await findMemberEmail(db, accountId, personId)) === undefined) throw new RefusalError(peopleRefusals.memberNotFound)
}

export async function readPersonName(db: Db, personId: string): Promise<string | null> {
  const person = await db.selectFrom('persons').select('name').where('id', '=', personId).executeTakeFirst()
  return person?.name ?? null
}

/**
 * Checks that an account keeps an owner when a person stops being its owner. Locks all owners: if two owners remove each other
 * at the same moment, the removals are decided one after the other.
 */
async function checkOwnerStays(tx: Tx, accountId: string, leaving: { readonly id: string; readonly email: string }) {
  const owners = await tx
    .selectFrom('members')
    .select('person_id')
    .where('account_id', '=', accountId)
    .where('role', '=', 'owner')
    .orderBy('person_id')
    .forUpdate()
    .execute()
  if (owners.length !== 1 || owners[0]?.person_id !== leaving.id) return
  throw new LastOwnerError(`${leaving.email} is the last owner of this account. Make somebody else an owner first.`)
}

/** Deletes the open invitations that this person sent, because the person may not invite any more. */
async function deleteInvitations(tx: Tx, accountId: string, email: string): Promise<void> {
  await tx.deleteFrom('member_invitations').where('account_id', '=', accountId).where('actor', '=', `person:${email}`).execute()
}

export type MemberChange = {
  readonly account: string
  readonly email: string
  readonly actor: string
  /** Only for a change by the operator's staff. */
  readonly reason?: string
}

/**
 * Changes a member's role from the next request on.
 *
 * @throws AccountError when there is no such account, person or member, LastOwnerError when no owner would be left
 */
export async function setMemberRole(
  tx: Tx,
  { account, email, role, actor, reason }: MemberChange & { readonly role: MemberRole },
): Promise<{ personId: string; email: string }> {
  const { accountId } = await readAccount(tx, account)
  const person = await readPersonByEmail(tx, email)
  if (role !== 'owner') {
    await checkOwnerStays(tx, accountId, person)
    await deleteInvitations(tx, accountId, person.email)
    await dropFloorOf(tx, accountId, person.email)
  }
  const before = await tx
    .selectFrom('members')
    .select('role')
    .where('account_id', '=', accountId)
    .where('person_id', '=', person.id)
    .forUpdate()
    .executeTakeFirst()
  if (!before) throw new AccountError(`${person.email} is not a member of this account.`)
  await tx.updateTable('members').set({ role }).where('account_id', '=', accountId).where('person_id', '=', person.id).execute()
  const given = reason === undefined ? {} : { reason }
  const details = { email: person.email, person_id: person.id, before: { role: before.role }, after: { role }, ...given }
  await appendOperatorLog(tx, { actor, action: 'member set-role', subject: accountId, details })
  return { personId: person.id, email: person.email }
}

/**
 * Removes a person from an account, and ends the person's sessions.
 *
 * @throws AccountError when there is no such account, person or member, LastOwnerError when no owner would be left
 */
export async function removeMember(
  tx: Tx,
  { account, email, actor, reason }: MemberChange,
): Promise<{ personId: string; email: string }> {
  const { accountId } = await readAccount(tx, account)
  const person = await readPersonByEmail(tx, email)
  await checkOwnerStays(tx, accountId, person)
  await deleteInvitations(tx, accountId, person.email)
  const removed = await tx
    .deleteFrom('members')
    .where('account_id', '=', accountId)
    .where('person_id', '=', person.id)
    .returning('role')
    .executeTakeFirst()
  if (!removed) throw new AccountError(`${person.email} is not a member of this account.`)
  await dropFloorOf(tx, accountId, person.email)
  await tx.deleteFrom('person_sessions').where('person_id', '=', person.id).execute()
  const given = reason === undefined ? {} : { reason }
  const details = {
    email: person.email,
    role: removed.role,
    person_id: person.id,
    before: { role: removed.role },
    after: null,
    ...given,
  }
  await appendOperatorLog(tx, { actor, action: 'member remove', subject: accountId, details })
  return { personId: person.id, email: person.email }
}

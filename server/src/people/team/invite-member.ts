import { sql } from 'kysely'
import { AccountError } from '../../accounts/account.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/new-id.ts'
import { countForThirdParty } from '../../platform/http/limits/third-party-limits.ts'
import { RefusalError } from '../../platform/http/refusals.ts'
import { appendOperatorLog } from '../../platform/operator-log/append-operator-log.ts'
import { queuePersonMail } from '../mails/queue-person-mail.ts'
import { checkPersonEmail } from '../manage-people.ts'
import { peopleRefusals } from '../people.refusals.ts'
import type { MemberRole } from '../permissions/member-permissions.ts'

export const invitationHours = 72

export type AskedInvitation = {
  readonly accountId: string
  readonly email: string
  readonly role: MemberRole
  readonly actor: string
}

async function isMemberHere(tx: Tx, accountId: string, email: string): Promise<boolean> {
  const member = await tx
    .selectFrom('members')
    .innerJoin('persons', 'persons.id', 'members.person_id')
    .select('persons.id')
    .where('members.account_id', '=', accountId)
    .where('persons.email', '=', email)
    .executeTakeFirst()
  return member !== undefined
}

/**
 * Invites a person by mail to join an account. Does not look whether the e-mail belongs to a member of another account, so that
 * no answer can reveal it. Inviting an e-mail again renews the invitation, and its older link stops working.
 *
 * @throws AccountError for an e-mail that cannot sign in, and for a member of this account; RefusalError 429 after too many
 * invitations
 */
export async function inviteMember(tx: Tx, { accountId, email: given, role, actor }: AskedInvitation): Promise<void> {
  const email = checkPersonEmail(given)
  await countForThirdParty(tx, 'invitation', { account: accountId })
  if (await isMemberHere(tx, accountId, email)) throw new AccountError(`${email} is a member of this account already.`)
  const { rows } = await sql<{ id: string }>`
    insert into member_invitations (id, account_id, email, role, actor, expires_at)
    values (${newId()}, ${accountId}, ${email}, ${role}, ${actor},
      clock_timestamp() + make_interval(hours => ${invitationHours}))
    on conflict (account_id, email) do update
    set role = excluded.role, actor = excluded.actor, expires_at = excluded.expires_at, token_digest = null
    returning id`.execute(tx)
  await queuePersonMail(tx, 'invitation', email, rows[0] && { invitationId: rows[0].id })
  await appendOperatorLog(tx, { actor, action: 'member invite', subject: accountId, details: { email, role } })
}

/**
 * Checks that a person is still an owner of the account, and keeps that so until this transaction ends. Who takes the owner's
 * role away waits, and then deletes the invitation too.
 * @throws RefusalError 403 when the person is an owner no more
 */
export async function holdOwner(tx: Tx, accountId: string, personId: string): Promise<void> {
  const owner = await tx
    .selectFrom('members')
    .select('person_id')
    .where('account_id', '=', accountId)
    .where('person_id', '=', personId)
    .where('role', '=', 'owner')
    .forShare()
    .executeTakeFirst()
  if (!owner) throw new RefusalError(peopleRefusals.notPermitted)
}

/** Withdraws an invitation; its link stops working. @returns whether there was one */
export async function withdrawInvitation(
  tx: Tx,
  { accountId, invitationId, actor }: { readonly accountId: string; readonly invitationId: string; readonly actor: string },
): Promise<boolean> {
  const withdrawn = await tx
    .deleteFrom('member_invitations')
    .where('id', '=', invitationId)
    .where('account_id', '=', accountId)
    .returning(['email', 'role'])
    .executeTakeFirst()
  if (!withdrawn) return false
  await appendOperatorLog(tx, { actor, action: 'member withdraw', subject: accountId, details: withdrawn })
  return true
}

/** The open invitations of an account, newest first. */
export async function listInvitations(db: Db | Tx, accountId: string) {
  return db
    .selectFrom('member_invitations')
    .select(['id as invitationId', 'email', 'role', 'expires_at as expiresAt'])
    .where('account_id', '=', accountId)
    .where('expires_at', '>', sql<Date>`clock_timestamp()`)
    .orderBy('id', 'desc')
    .execute()
}

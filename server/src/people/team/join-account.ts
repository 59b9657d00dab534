import { sql } from 'kysely'
import { AccountError } from '../../accounts/account.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { RefusalError, refusals } from '../../platform/http/refusals.ts'
import { passwordLength } from '../auth/auth-limits.ts'
import { hashPersonPassword } from '../auth/hash-password.ts'
import type { Browser } from '../browser.ts'
import { linkTokenDigest } from '../mails/make-link.ts'
import { createMember } from '../manage-people.ts'
import { peopleRefusals } from '../people.refusals.ts'
import type { PeopleDeps } from '../people-deps.ts'
import type { MemberRole } from '../permissions/member-permissions.ts'
import { type SignedIn, signIn } from '../sign-in.ts'

type Invitation = { id: string; account_id: string; email: string; role: MemberRole; actor: string }

async function findInvitation(db: Db, token: string): Promise<Invitation> {
  const { rows } = await sql<Invitation>`
    select id, account_id, email, role, actor from member_invitations
    where token_digest = ${linkTokenDigest(token)} and expires_at > clock_timestamp()`.execute(db)
  if (!rows[0]) throw new RefusalError(peopleRefusals.invitationInvalid)
  return rows[0]
}

type InvitationForReader = { readonly accountName: string; readonly role: MemberRole; readonly hasPassword: boolean }

/**
 * Tells the reader of an invitation which team it is from, before anything is accepted.
 * @throws RefusalError 400 for a link that works no more, 429 after too many tries
 */
export async function showInvitation(
  { db, throttle }: Pick<PeopleDeps, 'db' | 'throttle'>,
  token: string,
  address: string,
): Promise<InvitationForReader> {
  await throttle.count('reset', undefined, address)
  const { account_id: accountId, email, role } = await findInvitation(db, token)
  const account = await db.selectFrom('accounts').select('name').where('id', '=', accountId).executeTakeFirstOrThrow()
  const { hasPassword } = await readInvitedPerson(db, email)
  return { accountName: account.name, role, hasPassword }
}

/** Reads whether the person with this e-mail has a password, and whether the person is a member of an account already. */
async function readInvitedPerson(db: Db, email: string): Promise<{ hasPassword: boolean; isMember: boolean }> {
  const { rows } = await sql<{ hasPassword: boolean; isMember: boolean }>`
    select exists (select from person_credentials where person_id = persons.id) as "hasPassword",
      exists (select from members where person_id = persons.id) as "isMember"
    from persons where email = ${email}`.execute(db)
  return rows[0] ?? { hasPassword: false, isMember: false }
}

/** Uses up an invitation and makes the person a member. Refuses the second of two uses at the same moment. */
async function useUp(tx: Tx, invitation: Invitation, passwordHash: string | undefined): Promise<void> {
  const used = await tx.deleteFrom('member_invitations').where('id', '=', invitation.id).returning('id').executeTakeFirst()
  if (!used) throw new RefusalError(peopleRefusals.invitationInvalid)
  const { account_id: account, email, role, actor } = invitation
  await createMember(tx, { account, email, role, actor, passwordHash })
}

/** Accepts an invitation. Refuses the second of two invitations that the person accepts at the same moment. */
async function accept(db: Db, invitation: Invitation, passwordHash: string | undefined): Promise<void> {
  try {
    await inTransaction(db, (tx) => useUp(tx, invitation, passwordHash))
  } catch (error) {
    const isBeaten = error instanceof AccountError && (await readInvitedPerson(db, invitation.email)).isMember
    throw isBeaten ? new RefusalError(peopleRefusals.actsForAnother) : error
  }
}

/**
 * Makes the reader of an invitation a member of the account, and signs the person in. A person with a password must give it;
 * others choose one here.
 *
 * @throws RefusalError 400 when the link has expired or the password is too short, 401 when the password is wrong, 409 when the
 * person already belongs to an account, 429 after too many tries
 */
export async function joinAccount(
  deps: Pick<PeopleDeps, 'db' | 'openAuth' | 'secretsKeys' | 'throttle' | 'publicUrl'>,
  { token, password }: { readonly token: string; readonly password: string },
  browser: Browser,
): Promise<SignedIn> {
  await deps.throttle.count('reset', undefined, browser.address)
  const invitation = await findInvitation(deps.db, token)
  const given = { email: invitation.email, password }
  const { hasPassword, isMember } = await readInvitedPerson(deps.db, invitation.email)
  if (isMember) throw new RefusalError(peopleRefusals.actsForAnother)
  if (hasPassword) {
    const signedIn = await signIn(deps, given, browser)
    await accept(deps.db, invitation, undefined)
    return signedIn
  }
  if (password.length < passwordLength.min) {
    throw new RefusalError(refusals.invalidRequest(`The password must have at least ${passwordLength.min} characters.`))
  }
  const passwordHash = await hashPersonPassword(password)
  await accept(deps.db, invitation, passwordHash)
  return signIn(deps, given, browser)
}

import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/new-id.ts'

/**
 * Why a person gets a mail. `sign_up`: somebody signed up with this e-mail, which may be known already.
 * `forgot_password`: somebody asked for a new password. `password_changed`: it was changed.
 * `invitation`: an owner asks the reader to join an account. `staff_invitation`: the operator let the reader in as staff.
 * `second_factor_reset`: the operator took the reader's second factor away.
 */
export type PersonMailKind =
  | 'sign_up'
  | 'forgot_password'
  | 'password_changed'
  | 'invitation'
  | 'staff_invitation'
  | 'second_factor_reset'

/**
 * Notes a mail that the worker composes and sends. It holds no link and no secret.
 * @param invitationId what a mail of the kind `invitation` is about
 */
export async function queuePersonMail(db: Db | Tx, kind: PersonMailKind, email: string, invitationId?: string): Promise<void> {
  await sql`
    insert into person_mails (id, email, kind, invitation_id)
    values (${newId()}, ${email}, ${kind}, ${invitationId ?? null})`.execute(db)
}

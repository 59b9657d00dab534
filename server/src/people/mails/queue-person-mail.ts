import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/new-id.ts'

/**
 * Why a person gets a mail. `sign_up`: somebody signed up with this e-mail, which may be known already. `forgot_password`:
 * somebody asked for a new password. `password_changed`: the password was changed. `invitation`: an owner or the operator asks
 * the reader to join an account. `staff_invitation`: the operator let the reader in as staff. `second_factor_reset`: the operator
 * took the reader's second factor away. `report`: a report that the reader wished to get.
 */
export type PersonMailKind =
  | 'sign_up'
  | 'forgot_password'
  | 'password_changed'
  | 'invitation'
  | 'staff_invitation'
  | 'second_factor_reset'
  | 'report'

/** What a mail is about: an invitation, or a report and the last day of its time. */
export type MailSubject = {
  readonly invitationId?: string
  readonly report?: { readonly scheduleId: string; readonly lastDay: string }
}

/** Notes a mail that the worker composes and sends. It holds no link and no secret. */
export async function queuePersonMail(
  db: Db | Tx,
  kind: PersonMailKind,
  email: string,
  { invitationId, report }: MailSubject = {},
): Promise<void> {
  await sql`
    insert into person_mails (id, email, kind, invitation_id, report_schedule_id, report_day)
    values (${newId()}, ${email}, ${kind}, ${invitationId ?? null}, ${report?.scheduleId ?? null}, ${report?.lastDay ?? null}::date)`.execute(
    db,
  )
}

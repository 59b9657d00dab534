import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/new-id.ts'
import { countForThirdParty } from '../../platform/http/limits/third-party-limits.ts'

/**
 * The reason of a mail. `sign_up`: a sign-up with this e-mail, which may have an account already. `forgot_password`: a request
 * for a new password. `password_changed`: the reader's password was changed. `invitation`: an owner or the operator asks the
 * reader to join an account. `staff_invitation`: the operator made the reader one of the staff. `second_factor_lost`: the
 * reader's second factor was reported as lost. `second_factor_reset`: the operator removed the reader's second factor.
 * `passkey_added`, `passkey_removed`: the reader's passkeys were changed. `report`: a report that the reader asked for.
 * `loosening`: a proposal to loosen a guard of money or rights. `phone_code`, `phone_recovery`: texts with a code, to confirm a
 * number or to choose a new password. `phone_changed`: the reader's number was confirmed or removed.
 */
export type PersonMailKind =
  | 'sign_up'
  | 'forgot_password'
  | 'password_changed'
  | 'invitation'
  | 'staff_invitation'
  | 'second_factor_lost'
  | 'second_factor_reset'
  | 'passkey_added'
  | 'passkey_removed'
  | 'report'
  | 'loosening'
  | 'phone_code'
  | 'phone_recovery'
  | 'phone_changed'

/** The subject of a mail: an invitation, a proposal, or a report and the last day of its period. With `phone` it is a text. */
export type MailSubject = {
  readonly invitationId?: string
  readonly approvalId?: string
  /** As 0 and nine digits. The caller limits how many texts a number gets. */
  readonly phone?: string
  readonly report?: { readonly scheduleId: string; readonly lastDay: string }
}

/**
 * Kinds without a limit, because no stranger can cause them again and again: each follows a change of the reader's own sign-in,
 * is sent at most once a day, or follows a proposal of the staff. No limit may stop a proposal's mail, because its wait begins
 * with it.
 */
const uncounted: ReadonlySet<PersonMailKind> = new Set([
  'password_changed',
  'second_factor_reset',
  'passkey_added',
  'passkey_removed',
  'phone_changed',
  'report',
  'loosening',
])

/**
 * Queues a mail, which the worker composes and sends. The row holds no link and no secret.
 * @throws RefusalError 429 when others caused too many mails to this e-mail within the hour
 */
export async function queuePersonMail(
  db: Db | Tx,
  kind: PersonMailKind,
  email: string,
  { invitationId, approvalId, phone, report }: MailSubject = {},
): Promise<void> {
  if (phone === undefined && !uncounted.has(kind)) await countForThirdParty(db, 'mail', { recipient: email })
  await sql`
    insert into person_mails (id, email, kind, invitation_id, approval_id, phone, report_schedule_id, report_day)
    values (${newId()}, ${email}, ${kind}, ${invitationId ?? null}, ${approvalId ?? null}, ${phone ?? null}, ${report?.scheduleId ?? null}, ${report?.lastDay ?? null}::date)`.execute(
    db,
  )
}

/** Marks the queued mails of a kind to an e-mail as `dropped`, so that they are not sent. */
export async function dropQueuedMails(db: Db, kind: PersonMailKind, email: string): Promise<void> {
  await sql`
    update person_mails set state = 'dropped', ended_at = clock_timestamp()
    where kind = ${kind} and email = ${email} and state = 'queued'`.execute(db)
}

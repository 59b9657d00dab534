import { sql } from 'kysely'
import type { Logger } from 'pino'
import { type CourtesySmsPort, sendLeaseSeconds, sendRetrySeconds, triesMax } from '../../notices/message-transports.ts'
import { type MailOutcome, type MailServer, sendMail } from '../../notices/send-mail.ts'
import { backOff } from '../../platform/back-off.ts'
import type { Db } from '../../platform/database/database.ts'
import type { SealedColumn } from '../../platform/secrets/rotate-secrets.ts'
import { sealSecret, unsealSecret } from '../../platform/secrets/seal-secret.ts'
import type { SecretsKeys } from '../../platform/secrets/secrets-keys.ts'
import { composePersonMail } from './compose-person-mail.ts'
import type { ComposeDeps, ComposedMail, QueuedMail } from './composed-mail.ts'

export type PersonMailDeps = ComposeDeps & {
  readonly log: Pick<Logger, 'info' | 'warn'>
  readonly secretsKeys: SecretsKeys
  /** Undefined: mails wait until a mail server is set, or are kept (`isKeeping`). */
  readonly mailServer: MailServer | undefined
  /** Undefined: texts wait until there is an SMS link, or are kept. Those that wait too long are dropped. */
  readonly sms?: CourtesySmsPort | undefined
  /** True with the simulator and without a mail server: mails and texts are shown in the browser instead of sent. */
  readonly isKeeping: boolean
}

export const keptMailColumn = {
  table: 'person_mails',
  column: 'kept_text',
  idColumn: 'id',
  idType: 'uuid',
} as const satisfies SealedColumn

/** True while a mail waits or is being sent. The process that was sending it may have died. */
export const isPersonMailWaiting = sql`exists (select from person_mails where state in ('queued', 'sending'))`

/** One call sends at most this many mails. */
const sentMax = 20

type Claim = QueuedMail & { id: string; tries: number }

/**
 * Marks the next mail as `sending` and commits, before any link is made or the mail is sent. Only one at a time: several would
 * wait for each other, and the lease of the last one could end before it is sent.
 */
async function claim({ db, mailServer, sms, isKeeping }: PersonMailDeps): Promise<Claim | undefined> {
  const mayMail = mailServer !== undefined || isKeeping
  const mayText = sms !== undefined || isKeeping
  const { rows } = await sql<Claim>`
    with due as (
      select id from person_mails where state = 'queued' and next_try_at <= clock_timestamp()
        and case when phone is null then ${mayMail}::boolean else ${mayText}::boolean end
      order by next_try_at, id limit 1 for update skip locked
    )
    update person_mails as mail
    set state = 'sending', tries = tries + 1, lease_until = clock_timestamp() + make_interval(secs => ${sendLeaseSeconds})
    from due where mail.id = due.id
    returning mail.id, mail.email, mail.kind, mail.invitation_id, mail.approval_id, mail.report_schedule_id, mail.report_day::text, mail.phone, mail.created_at, mail.tries`.execute(
    db,
  )
  return rows[0]
}

/**
 * Queues again the mails whose process died: a mail that comes twice is better than none. Their links are made anew. After
 * `triesMax` tries a mail has failed. A text is not sent again, because it may have been accepted and costs money.
 */
async function endLost(db: Db): Promise<void> {
  await sql`
    update person_mails
    set state = case when tries < ${triesMax} and phone is null then 'queued' else 'failed' end,
      reason = 'its sender died while sending', lease_until = null, next_try_at = clock_timestamp(),
      ended_at = case when tries < ${triesMax} and phone is null then null else clock_timestamp() end
    where state = 'sending' and lease_until < clock_timestamp()`.execute(db)
}

type End =
  | { readonly state: 'sent' | 'dropped' }
  | { readonly state: 'kept'; readonly subject: string; readonly keptText: string }
  | { readonly state: 'queued' | 'failed'; readonly reason: string }

async function conclude(db: Db, mail: Claim, end: End): Promise<void> {
  const isEnd = end.state !== 'queued'
  const kept = end.state === 'kept' ? end : undefined
  await sql`
    update person_mails
    set state = ${end.state}, lease_until = null, ended_at = case when ${isEnd} then clock_timestamp() end,
      subject = ${kept?.subject ?? null}, kept_text = ${kept?.keptText ?? null},
      reason = ${'reason' in end ? end.reason : null},
      next_try_at = clock_timestamp() + make_interval(secs => ${backOff(mail.tries - 1, sendRetrySeconds)})
    where id = ${mail.id} and state = 'sending'`.execute(db)
}

function endOf(outcome: MailOutcome, { tries, phone }: Claim): End {
  if (outcome.outcome === 'sent') return { state: 'sent' }
  // A text may have been accepted and costs money, so it is not sent again.
  const isOver = outcome.outcome === 'not_sent' ? outcome.isFinal : phone !== null
  const isFinal = isOver || tries >= triesMax
  return { state: isFinal ? 'failed' : 'queued', reason: outcome.reason }
}

async function deliver(deps: PersonMailDeps, mail: Claim, { subject, text, file }: ComposedMail): Promise<End> {
  if (mail.phone !== null && deps.sms && !deps.isKeeping) {
    return endOf(await deps.sms.sendSms({ to: mail.phone, text }), mail)
  }
  if (mail.phone === null && deps.mailServer) {
    const outcome = await sendMail(deps.mailServer, { to: mail.email, subject, text, ...(file && { file }) })
    return endOf(outcome, mail)
  }
  const shown = file ? `${text}\n\n${file.name}:\n${file.text}` : text
  return { state: 'kept', subject, keptText: sealSecret(deps.secretsKeys, shown, { ...keptMailColumn, rowId: mail.id }) }
}

async function handleMail(deps: PersonMailDeps, mail: Claim): Promise<void> {
  let end: End
  try {
    const composed = await composePersonMail(deps, mail)
    end = composed ? await deliver(deps, mail, composed) : { state: 'dropped' }
  } catch (error) {
    deps.log.warn({ err: error, mailId: mail.id }, 'a mail to a person could not be composed')
    end = { state: mail.tries < triesMax ? 'queued' : 'failed', reason: 'it could not be composed' }
  }
  await conclude(deps.db, mail, end)
  if ('reason' in end) deps.log.warn({ mailId: mail.id, reason: end.reason }, 'a mail to a person could not be sent')
}

/**
 * Sends the queued mails and texts to persons. Several processes may call it at once. Without a mail server it sends no mails;
 * with the simulator it then keeps them for the browser. A link is made when its mail is sent; sending again makes a new one.
 */
export async function sendPersonMails(deps: PersonMailDeps): Promise<void> {
  await endLost(deps.db)
  if (!deps.mailServer && !deps.sms && !deps.isKeeping) return
  for (let sent = 0; sent < sentMax; sent += 1) {
    const mail = await claim(deps)
    if (!mail) return
    await handleMail(deps, mail)
  }
}

/** The newest mails that an installation with the simulator and without a mail server keeps instead of sending. */
export async function listKeptMails(db: Db, secretsKeys: SecretsKeys) {
  const rows = await db
    .selectFrom('person_mails')
    .select(['id', 'email', 'phone', 'subject', 'kept_text', 'created_at'])
    .where('state', '=', 'kept')
    .orderBy('id', 'desc')
    .limit(50)
    .execute()
  return rows.map((row) => ({
    mailId: row.id,
    to: row.phone ?? row.email,
    subject: row.subject ?? '',
    text: unsealSecret(secretsKeys, row.kept_text ?? '', { ...keptMailColumn, rowId: row.id }),
    createdAt: row.created_at,
  }))
}

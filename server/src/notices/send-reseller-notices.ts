import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { backOff } from '../platform/back-off.ts'
import type { Db } from '../platform/database/database.ts'
import {
  type MessageTransports,
  openChannels,
  sendLeaseSeconds,
  sendOut,
  sendRetrySeconds,
  triesMax,
  waitHoursMax,
} from './message-transports.ts'
import type { CourtesyChannel } from './queue-notices.ts'
import type { MailOutcome } from './send-mail.ts'

/** A reseller's present addresses. */
export type ResellerContact = { readonly name: string; readonly email: string; readonly phone: string | null }

export type ResellerNoticeDeps = MessageTransports & {
  readonly db: Db
  readonly log: Pick<Logger, 'info' | 'warn'>
  readonly findContacts: (db: Db, accountIds: readonly string[]) => Promise<ReadonlyMap<string, ResellerContact>>
  /** Names this installation in the mails. */
  readonly publicUrl: string
}

/** Notices that a process claims at once. */
const claimedMax = 100

type Claim = { id: string; account_id: string; channel: CourtesyChannel; subject: string; body: string; tries: number }

/** Commits `sending` before anything is sent. */
async function claim(db: Db, channels: readonly CourtesyChannel[]): Promise<Claim[]> {
  const { rows } = await sql<Claim>`
    with due as (
      select id from reseller_notices
      where state = 'queued' and next_try_at <= clock_timestamp() and channel = any(${channels}::text[])
      order by next_try_at, id limit ${claimedMax} for update skip locked
    )
    update reseller_notices as notice
    set state = 'sending', tries = tries + 1, lease_until = clock_timestamp() + make_interval(secs => ${sendLeaseSeconds})
    from due where notice.id = due.id
    returning notice.id, notice.account_id, notice.channel, notice.subject, notice.body, notice.tries`.execute(db)
  return rows.toSorted((one, other) => (one.id < other.id ? -1 : 1))
}

/**
 * Ends, or queues again, notices whose process died while sending, and ends notices that waited too long. Nobody knows whether
 * such a mail was sent. It is sent again, up to `triesMax` times in all, because a notice that comes twice is better than none.
 * An SMS is not sent again: each costs money, and the same notice is also sent by mail, unless the account chose otherwise.
 */
async function endLostAndLate(db: Db): Promise<number> {
  const { rows } = await sql<{ state: string }>`
    update reseller_notices
    set state = case when state = 'sending' and channel = 'email' and tries < ${triesMax} then 'queued' else 'failed' end,
      reason = case state when 'sending' then 'its sender died while sending' else coalesce(reason, 'there was no way out for it in time') end,
      ended_at = case when state = 'sending' and channel = 'email' and tries < ${triesMax} then null else clock_timestamp() end,
      lease_until = null, next_try_at = clock_timestamp()
    where (state = 'sending' and lease_until < clock_timestamp())
      or (state = 'queued' and created_at < clock_timestamp() - make_interval(hours => ${waitHoursMax}))
    returning state`.execute(db)
  return rows.filter(({ state }) => state === 'failed').length
}

/** True while a notice waits, or is marked as being sent, perhaps by a process that has died. */
export const isResellerNoticeWaiting = sql`exists (select from reseller_notices where state in ('queued', 'sending'))`

/** Notices to one account over one channel, which are sent together. */
type Letter = { readonly channel: CourtesyChannel; readonly notices: readonly Claim[] }

async function conclude(db: Db, { channel, notices }: Letter, to: string | null, outcome: MailOutcome): Promise<void> {
  const isSent = outcome.outcome === 'sent'
  const mayRepeat = outcome.outcome === 'unknown' ? channel === 'email' : outcome.outcome === 'not_sent' && !outcome.isFinal
  const pause = backOff(Math.max(...notices.map(({ tries }) => tries)) - 1, sendRetrySeconds)
  await sql`
    update reseller_notices
    set state = case when ${isSent} then 'sent' when ${mayRepeat} and tries < ${triesMax} then 'queued' else 'failed' end,
      ended_at = case when not ${isSent} and ${mayRepeat} and tries < ${triesMax} then null else clock_timestamp() end,
      reason = ${isSent ? null : outcome.reason}, sent_to = ${to}, lease_until = null,
      next_try_at = clock_timestamp() + make_interval(secs => ${pause})
    where id = any(${notices.map(({ id }) => id)}::uuid[]) and state = 'sending'`.execute(db)
}

function composeMail(notices: readonly Claim[], { name, email }: ResellerContact, publicUrl: string) {
  const [first] = notices
  const isOne = notices.length === 1
  const bodies = notices.map(({ subject, body }) => (isOne ? body : `${subject}\n${body}`))
  return {
    to: email,
    subject: isOne && first ? first.subject : `${notices.length} notices about your account`,
    text: `Hello ${name},\n\n${bodies.join('\n\n')}\n\nYou get this mail because you have an account at ${publicUrl}\n`,
    // The Message-ID of a mail: the same for the same notices, whichever process sends them.
    token: hash('sha256', notices.map(({ id }) => id).join()).slice(0, 32),
  }
}

function composeSms(notices: readonly Claim[], phone: string, publicUrl: string) {
  const [first] = notices
  const more = `${notices.length} notices about your account at ${new URL(publicUrl).hostname}. Please read our mails to you.`
  return { to: phone, subject: '', text: notices.length === 1 && first ? first.body : more }
}

async function deliver(deps: ResellerNoticeDeps, letter: Letter, contact: ResellerContact | undefined): Promise<void> {
  const { channel, notices } = letter
  const to = (channel === 'sms' ? contact?.phone : contact?.email) ?? null
  const missing = !contact ? 'the account is gone' : `the account has no ${channel === 'sms' ? 'number' : 'e-mail'} any more`
  let outcome: MailOutcome = { outcome: 'not_sent', isFinal: true, reason: missing }
  if (contact && to !== null) {
    const message = channel === 'sms' ? composeSms(notices, to, deps.publicUrl) : composeMail(notices, contact, deps.publicUrl)
    outcome = await sendOut(deps, channel, message)
  }
  await conclude(deps.db, letter, to, outcome)
  const fields = { accountId: notices[0]?.account_id, channel, notices: notices.length }
  if (outcome.outcome === 'sent') deps.log.info(fields, 'a reseller was told')
  else deps.log.warn({ ...fields, reason: outcome.reason }, 'a reseller could not be told')
}

/**
 * Sends due notices to resellers over the channels of this process; call it every few seconds. Several processes share the
 * work. The notices that one process claims for one account are sent in one message per channel. A mail may be sent more than
 * once, but only if a process dies, or if a mail server's answer is lost. An SMS is sent at most once. Every notice ends as
 * `sent`, or as `failed` with the reason.
 */
export async function sendResellerNotices(deps: ResellerNoticeDeps): Promise<void> {
  const ended = await endLostAndLate(deps.db)
  if (ended > 0) deps.log.warn({ count: ended }, 'notices to resellers were given up')
  const channels = openChannels(deps)
  if (channels.length === 0) return
  const claims = await claim(deps.db, channels)
  if (claims.length === 0) return
  const contacts = await deps.findContacts(deps.db, [...new Set(claims.map(({ account_id }) => account_id))])
  const letters = Map.groupBy(claims, ({ account_id, channel }) => `${account_id} ${channel}`)
  await Promise.all(
    [...letters.values()].map(async (notices) => {
      const [first] = notices
      if (first) await deliver(deps, { channel: first.channel, notices }, contacts.get(first.account_id))
    }),
  )
}

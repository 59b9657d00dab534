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

/** The message of an order, made when it is sent. Undefined: the order has none on this channel. */
export type CourtesyMessage = { readonly to: string; readonly subject: string; readonly text: string }
export type ComposeCourtesy = (orderId: string, channel: CourtesyChannel) => Promise<CourtesyMessage | undefined>

export type CourtesyDeps = MessageTransports & {
  readonly db: Db
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>
  readonly compose: ComposeCourtesy
}

/** True while a message waits, or is marked as being sent, perhaps by a process that has died. */
export const isCourtesyWaiting = sql`exists (select from courtesy_notices where state in ('queued', 'sending'))`

/** Messages that a process claims at once. */
const claimedMax = 10

type Claim = { order_id: string; channel: CourtesyChannel; tries: number }
type Outcome = { readonly outcome: 'sent' | 'unknown' | 'not_sent'; readonly isFinal?: boolean; readonly reason?: string }

/**
 * Commits the state `sending` before anything is sent. If the process dies after that, nobody knows whether the message
 * went out, so it is never sent again.
 */
async function claim(db: Db, channels: readonly CourtesyChannel[]): Promise<Claim[]> {
  const { rows } = await sql<Claim>`
    with due as (
      select order_id, channel from courtesy_notices
      where state = 'queued' and next_try_at <= clock_timestamp() and channel = any(${channels}::text[])
      order by next_try_at limit ${claimedMax} for update skip locked
    )
    update courtesy_notices as notice
    set state = 'sending', tries = tries + 1, lease_until = clock_timestamp() + make_interval(secs => ${sendLeaseSeconds})
    from due where notice.order_id = due.order_id and notice.channel = due.channel
    returning notice.order_id, notice.channel, notice.tries`.execute(db)
  return rows
}

/** Ends messages whose process died while sending, and messages that waited too long. */
async function endLostAndLate(db: Db): Promise<number> {
  const { rows } = await sql`
    update courtesy_notices
    set state = case state when 'sending' then 'unknown' else 'undelivered' end,
      reason = case state when 'sending' then 'its sender died while sending' else coalesce(reason, 'it could not leave in time') end,
      lease_until = null, ended_at = clock_timestamp()
    where (state = 'sending' and lease_until < clock_timestamp())
      or (state = 'queued' and created_at < clock_timestamp() - make_interval(hours => ${waitHoursMax}))
    returning order_id`.execute(db)
  return rows.length
}

async function conclude(db: Db, { order_id, channel, tries }: Claim, { outcome, isFinal, reason }: Outcome): Promise<void> {
  const isRetried = outcome === 'not_sent' && isFinal !== true && tries < triesMax
  const state = isRetried ? 'queued' : outcome === 'not_sent' ? 'undelivered' : outcome
  await sql`
    update courtesy_notices
    set state = ${state}, reason = ${reason ?? null}, lease_until = null,
      next_try_at = clock_timestamp() + make_interval(secs => ${backOff(tries - 1, sendRetrySeconds)}),
      ended_at = case when ${isRetried} then null else clock_timestamp() end
    where order_id = ${order_id} and channel = ${channel} and state = 'sending'`.execute(db)
}

async function sendOne(deps: CourtesyDeps, { order_id, channel }: Claim): Promise<Outcome> {
  const message = await deps.compose(order_id, channel)
  if (!message) return { outcome: 'not_sent', isFinal: true, reason: 'the order asks for no such message' }
  return sendOut(deps, channel, message)
}

async function deliver(deps: CourtesyDeps, claimed: Claim): Promise<void> {
  const fields = { orderId: claimed.order_id, channel: claimed.channel }
  let outcome: Outcome
  try {
    outcome = await sendOne(deps, claimed)
  } catch (error) {
    // The text could not be made. Nothing was sent, and the error holds no secret.
    deps.log.error({ err: error, ...fields }, 'a courtesy message could not be made')
    outcome = { outcome: 'not_sent', isFinal: false, reason: 'the message could not be made' }
  }
  await conclude(deps.db, claimed, outcome)
  if (outcome.outcome === 'sent') deps.log.info(fields, 'a courtesy message was sent')
  else deps.log.warn({ ...fields, outcome: outcome.outcome, reason: outcome.reason }, 'a courtesy message was not sent')
}

/**
 * Sends the due courtesy messages that this process can send; call it every few seconds. Several processes share the work. At
 * most one message per order and channel is sent: another try is made only when the last one certainly reached nobody.
 */
export async function sendCourtesyNotices(deps: CourtesyDeps): Promise<void> {
  const ended = await endLostAndLate(deps.db)
  if (ended > 0) deps.log.warn({ count: ended }, 'courtesy messages were given up')
  const channels = openChannels(deps)
  if (channels.length === 0) return
  const claims = await claim(deps.db, channels)
  await Promise.all(claims.map((claimed) => deliver(deps, claimed)))
}

import { sql } from 'kysely'
import type { Logger } from 'pino'
import { type BackOff, backOff } from '../platform/back-off.ts'
import type { Db } from '../platform/database/database.ts'
import { rowsOf } from '../platform/database/rows-of.ts'
import type { Alert } from './alert.ts'
import { alarmText } from './raise-alarm.ts'
import { type AlertChannel, type AlertChannels, listAlertChannels, sendAlerts } from './send-alerts.ts'

/** One message carries at most this many alerts; the rest follows with the next. */
const alertsMax = 50

/** The pauses between two tries to send an alert. */
const retrySeconds: BackOff = { first: 10, most: 900 }

/** Only the alarms that cleared in these last days are read, to announce their end. All past alarms would be too many to read. */
const clearedDaysMax = 30

/** After this many hours an alert is not tried any more. `makola alert list` still shows its alarm. */
const giveUpHours = 24

/**
 * Queues again the messages that were dropped because their channel was removed, once it is back. A message that was tried for
 * `giveUpHours` stays dropped.
 */
async function queueDroppedAgain(db: Db, channels: readonly AlertChannel[]): Promise<void> {
  await sql`
    update alert_notices as notice
    set dropped_at = null, tries = 0, next_try_at = clock_timestamp(), created_at = clock_timestamp()
    from alarms
    where alarms.id = notice.alarm_id and notice.sent_at is null and notice.channel = any(${channels}::text[])
      and notice.dropped_at < notice.created_at + make_interval(hours => ${giveUpHours})
      and (notice.change = 'cleared' or alarms.cleared_at is null)`.execute(db)
}

/**
 * Queues one message per channel for each open alarm, and one for each alarm that cleared in the last `clearedDaysMax` days, on the
 * channels that announced it.
 */
async function queueNotices(db: Db, channels: readonly AlertChannel[]): Promise<void> {
  await sql`
    insert into alert_notices (alarm_id, change, channel)
    select alarms.id, 'raised', channel
    from alarms cross join unnest(${channels}::text[]) as channel
    where alarms.cleared_at is null
    union all
    select notice.alarm_id, 'cleared', notice.channel
    from alert_notices as notice join alarms on alarms.id = notice.alarm_id
    where notice.change = 'raised' and notice.sent_at is not null
      and alarms.cleared_at > now() - make_interval(days => ${clearedDaysMax}) and notice.channel = any(${channels}::text[])
    on conflict do nothing`.execute(db)
}

/**
 * Drops messages about alarms that cleared before they were announced, messages that were tried for too long, and messages
 * of a channel that was removed.
 */
async function dropNotices(db: Db, channels: readonly AlertChannel[]): Promise<void> {
  await sql`
    update alert_notices as notice set dropped_at = clock_timestamp()
    from alarms
    where notice.sent_at is null and notice.dropped_at is null and alarms.id = notice.alarm_id
      and ((notice.change = 'raised' and alarms.cleared_at is not null)
        or notice.created_at < clock_timestamp() - make_interval(hours => ${giveUpHours})
        or notice.channel <> all(${channels}::text[]))`.execute(db)
}

type Row = Alert & { readonly tries: number }

async function listDue(db: Db, channel: AlertChannel): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select alarms.id, notice.change, alarms.name, alarms.subject, ${alarmText} as message, notice.tries,
      alarms.raised_at as "raisedAt", alarms.cleared_at as "clearedAt"
    from alert_notices as notice join alarms on alarms.id = notice.alarm_id
    where notice.sent_at is null and notice.dropped_at is null
      and notice.channel = ${channel} and notice.next_try_at <= clock_timestamp()
    order by notice.created_at, alarms.id limit ${alertsMax}`.execute(db)
  return rows
}

async function noteOutcome(db: Db, channel: AlertChannel, alerts: readonly Row[], failure: string | undefined): Promise<void> {
  const tries = Math.max(...alerts.map((alert) => alert.tries))
  await sql`
    update alert_notices as notice
    set tries = notice.tries + 1, last_failure = ${failure ?? null},
      sent_at = case when ${failure === undefined}::boolean then clock_timestamp() end,
      next_try_at = clock_timestamp() + make_interval(secs => ${backOff(tries, retrySeconds)})
    from ${rowsOf(alerts, {
      alarm_id: ['uuid', ({ id }) => id],
      change: ['text', ({ change }) => change],
    }).as('sent')}
    where notice.alarm_id = sent.alarm_id and notice.change = sent.change and notice.channel = ${channel}`.execute(db)
}

/**
 * Announces raised and cleared alarms to the operator, over every channel that is set up. Each message is sent once. It is sent
 * again only when the process dies between sending and recording it, or when the mail server's or the webhook's answer is lost.
 * Must run in one process at a time.
 */
export async function deliverAlerts(db: Db, log: Pick<Logger, 'warn'>, channels: AlertChannels): Promise<void> {
  const names = listAlertChannels(channels)
  await dropNotices(db, names)
  if (names.length === 0) return
  await queueDroppedAgain(db, names)
  await queueNotices(db, names)
  // A channel that hangs must not delay the other one.
  await Promise.all(
    names.map(async (channel) => {
      const alerts = await listDue(db, channel)
      if (alerts.length === 0) return
      const failure = await sendAlerts(channels, channel, alerts)
      await noteOutcome(db, channel, alerts, failure)
      if (failure !== undefined)
        log.warn({ channel, alerts: alerts.length, reason: failure }, 'alerts could not be sent; they will be tried again')
    }),
  )
}

import { sql } from 'kysely'
import type { Logger } from 'pino'
import { isAlarmOpen, matchAlarms } from '../../../notices/match-alarms.ts'
import type { Db } from '../../../platform/database/database.ts'
import { inTransaction } from '../../../platform/database/in-transaction.ts'
import type { Settings } from '../../../platform/settings/settings.ts'
import { showMoment } from '../../../platform/texts-for-people.ts'
import { expandCampaigns } from '../campaigns/expand-campaigns.ts'
import { findOldestOpen, isCampaignOpen, type SinceOldestOpen } from '../campaigns/open-campaigns.ts'
import { settleAllCampaigns } from '../campaigns/settle-campaigns.ts'
import { smsDeadlineHours, smsReceiptDays } from '../sms.settings.ts'
import { concludeCancelled } from './cancel-campaign.ts'
import { lockClaims } from './claim-messages.ts'
import { messageMoves } from './message-life.ts'
import { releaseOrphanedClaims } from './take-over-claims.ts'

const unansweredAlarm = 'sms_unanswered'
const waitingAlarm = 'sms_not_sent'

/** A message that waits longer for a link raises an alarm. */
const waitingMinutesMax = 5

/**
 * True while there may be anything to conclude, settle, expand or raise an alarm about: an open campaign, a claim, a kept
 * answer, or an open alarm. Old receipts alone are no reason: they wait for the next campaign, or for the timer's regular run.
 */
export const maySmsBeOverdue = sql<boolean>`
  ${isCampaignOpen} or exists (select from sms_claims) or exists (select from sms_kept_answers)
  or ${isAlarmOpen(unansweredAlarm)} or ${isAlarmOpen(waitingAlarm)}`

/** The most campaigns of one transaction. */
const campaignsMax = 50
const firstId = '00000000-0000-0000-0000-000000000000'

/**
 * Concludes messages at their deadline. An unclaimed message that cannot have arrived fails, and is refunded. Every other message
 * counts as sent and charged: it may have arrived (`mayHaveArrived`), or its link has not answered for it. A recently claimed
 * message waits for its link's answer.
 * @returns the last campaign that was checked; undefined when there are no more
 */
function concludeSome(db: Db, hours: number, since: SinceOldestOpen, afterId: string): Promise<string | undefined> {
  return inTransaction(db, async (tx) => {
    await lockClaims(tx)
    const { overdue, overdueUnsent } = messageMoves
    const { rows } = await sql<{ id: string }>`
      select id from sms_campaigns
      where status = 'processing' and expanded_at < clock_timestamp() - make_interval(hours => ${hours}) and open_count > 0
        and ${since('id')} and id > ${afterId}
      order by id limit ${campaignsMax} for update`.execute(tx)
    const ids = rows.map(({ id }) => id)
    if (ids.length === 0) return undefined
    await sql`
      with claimed as materialized (
        select campaign_id, unnest(numbers) as n, claimed_at < clock_timestamp() - make_interval(hours => ${hours}) as is_old from sms_claims
      ), overdue as (
        update sms_messages as message
        set status = decided.status, submit = ${overdue.to}, reason = decided.reason, status_updated_at = clock_timestamp()
        from (
          select message.campaign_id, message.n,
            case when is_untouched and not may_have_arrived then ${overdueUnsent.end}::text else ${overdue.end}::text end as status,
            case when is_untouched and not may_have_arrived then 'never handed over until the deadline'
              else 'no answer until the deadline' end as reason
          from (
            select campaign_id, n, submit, may_have_arrived, sms_messages.claimed_at, is_old,
              submit = 'waiting' and is_old is null as is_untouched
            from sms_messages left join claimed using (campaign_id, n)
            where campaign_id = any(${ids}::uuid[]) and status = 'queued'
          ) as message
          where is_untouched or is_old or message.claimed_at < clock_timestamp() - make_interval(hours => ${hours})
        ) as decided
        where message.campaign_id = decided.campaign_id and message.n = decided.n and message.status = 'queued'
        returning message.campaign_id
      )
      update sms_campaigns set open_count = open_count - gone.count
      from (select campaign_id, count(*) as count from overdue group by campaign_id) as gone
      where id = gone.campaign_id`.execute(tx)
    return ids.at(-1)
  })
}

/** Checks all campaigns, page by page: campaigns that wait for a link's answer must not hide the ones after them. */
async function concludeAtDeadline(db: Db, hours: number): Promise<void> {
  const since = await findOldestOpen(db)
  if (!since) return
  let lastId: string | undefined = firstId
  while (lastId !== undefined) lastId = await concludeSome(db, hours, since, lastId)
}

async function purge(db: Db, receiptDays: number): Promise<void> {
  const age = sql`clock_timestamp() - make_interval(days => ${receiptDays})`
  await sql`delete from sms_receipts where id in (select id from sms_receipts where received_at < ${age} limit 10000)`.execute(db)
  await sql`
    delete from sms_parts where (campaign_id, n, part_no) in (
      select campaign_id, n, part_no from sms_parts where created_at < ${age} limit 10000)`.execute(db)
}

type Count = { subject: string; count: number; oldest: Date }

async function countUnanswered(db: Db, since: SinceOldestOpen): Promise<Count[]> {
  const { rows } = await sql<Count>`
    select supplier as subject, count(*)::integer as count, min(claimed_at) as oldest from sms_messages
    where submit = 'unanswered' and ${since('campaign_id')} group by supplier`.execute(db)
  return rows
}

async function countWaiting(db: Db, since: SinceOldestOpen): Promise<Count[]> {
  const { rows } = await sql<Count>`
    select network as subject, count(*)::integer as count, min(created_at) as oldest from sms_messages
    where submit = 'waiting' and ${since('campaign_id')} and created_at < clock_timestamp() - make_interval(mins => ${waitingMinutesMax})
      and campaign_id not in (
        select id from sms_campaigns
        where status = 'processing' and ${since('id')} and (paused_at is not null or cancelled_at is not null))
    group by network`.execute(db)
  return rows
}

/**
 * Raises alarms about messages with an unknown outcome, and about messages that wait too long for a link, except those of
 * paused or cancelled campaigns.
 */
export async function raiseSmsAlarms(db: Db, log: Pick<Logger, 'error' | 'info'>): Promise<void> {
  const since = await findOldestOpen(db)
  const unansweredCauses = (since ? await countUnanswered(db, since) : []).map(({ subject, count, oldest }) => {
    const ask = 'Ask it whether they were sent; at their deadline they count as sent and charged.'
    const what = `${count} SMS were handed to ${subject} without an answer, the oldest at ${showMoment(oldest)}.`
    return { subject, message: `${what} ${ask}` }
  })
  await matchAlarms(db, log, unansweredAlarm, unansweredCauses)
  const waitingCauses = (since ? await countWaiting(db, since) : []).map(({ subject, count, oldest }) => {
    const message = `${count} SMS to ${subject} wait for a link since ${showMoment(oldest)}.`
    return { subject, message, command: 'See `makola route list` and the links of the suppliers.' }
  })
  await matchAlarms(db, log, waitingAlarm, waitingCauses)
}

/** Writes the messages of due campaigns even while no link is bound, so that their deadline starts and alarms count them. */
async function expandWaiting(db: Db): Promise<void> {
  while ((await expandCampaigns(db)) > 0);
}

/**
 * The SMS part of housekeeping: finishes work that no link does, raises alarms, and deletes old receipts.
 * @throws AggregateError when some campaigns could not be settled or expanded
 */
export async function concludeOverdue(deps: { db: Db; settings: Settings; log: Pick<Logger, 'error' | 'info'> }): Promise<void> {
  const { db, settings, log } = deps
  const receiptDays = await settings.read(smsReceiptDays)
  await releaseOrphanedClaims(db, receiptDays)
  await concludeCancelled(db)
  await concludeAtDeadline(db, await settings.read(smsDeadlineHours))
  await raiseSmsAlarms(db, log)
  await purge(db, receiptDays)
  // Settled and expanded last: if one campaign fails, everything above has been done.
  try {
    await settleAllCampaigns(db)
  } finally {
    await expandWaiting(db)
  }
}

import { sql } from 'kysely'
import type { Db } from '../../../platform/database/database.ts'

/** The work that waits for the links of a process. */
export type SmsWork = { readonly isCampaignDue: boolean; readonly isMessageWaiting: boolean }

const isCampaignDue = sql<boolean>`exists (
  select from sms_campaigns
  where status = 'queued' and (scheduled_at is null or scheduled_at <= clock_timestamp()))`

const isMessageWaiting = sql<boolean>`exists (
  select from sms_messages where submit = 'waiting' and campaign_id not in (
    select id from sms_campaigns where status = 'processing' and (paused_at is not null or cancelled_at is not null)))`

/** Whether anything waits for a link. */
export const isSmsWorkWaiting = sql<boolean>`${isCampaignDue} or ${isMessageWaiting}`

/**
 * Asks in one statement, without a lock, what waits for a link. Claiming takes three statements in a transaction, which
 * is too much for a question that is asked ten times a second and mostly answered "no".
 */
export async function lookForSmsWork(db: Db): Promise<SmsWork> {
  const { rows } = await sql<SmsWork>`
    select ${isCampaignDue} as "isCampaignDue", ${isMessageWaiting} as "isMessageWaiting"`.execute(db)
  return rows[0] ?? { isCampaignDue: false, isMessageWaiting: false }
}

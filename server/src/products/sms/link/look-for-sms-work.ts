import { sql } from 'kysely'
import type { Db } from '../../../platform/database/database.ts'

export type SmsWork = { readonly isCampaignDue: boolean; readonly isMessageWaiting: boolean }

const isCampaignDue = sql<boolean>`exists (
  select from sms_campaigns
  where status = 'queued' and (scheduled_at is null or scheduled_at <= clock_timestamp()))`

const isMessageWaiting = sql<boolean>`exists (
  select from sms_messages where submit = 'waiting' and campaign_id not in (
    select id from sms_campaigns where status = 'processing' and (paused_at is not null or cancelled_at is not null)))`

export const isSmsWorkWaiting = sql<boolean>`${isCampaignDue} or ${isMessageWaiting}`

/**
 * Checks in one statement, without a lock, which work waits for a link. A claim takes three statements in a transaction, too
 * much for a check ten times a second that mostly finds nothing.
 */
export async function lookForSmsWork(db: Db): Promise<SmsWork> {
  const { rows } = await sql<SmsWork>`
    select ${isCampaignDue} as "isCampaignDue", ${isMessageWaiting} as "isMessageWaiting"`.execute(db)
  return rows[0] ?? { isCampaignDue: false, isMessageWaiting: false }
}

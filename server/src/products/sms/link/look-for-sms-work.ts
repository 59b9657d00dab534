import { sql } from 'kysely'
import type { Db } from '../../../platform/database/database.ts'

/** The work that waits for the links of a process. */
export type SmsWork = { readonly isCampaignDue: boolean; readonly isMessageWaiting: boolean }

/**
 * Asks in one statement, without a lock, whether anything waits for a link. Claiming takes three statements in a
 * transaction, which is too much for a question that is asked ten times a second and mostly answered "no".
 */
export async function lookForSmsWork(db: Db): Promise<SmsWork> {
  const { rows } = await sql<{ is_campaign_due: boolean; is_message_waiting: boolean }>`
    select
      exists (
        select from sms_campaigns
        where status = 'queued' and (scheduled_at is null or scheduled_at <= clock_timestamp())
      ) as is_campaign_due,
      exists (
        select from sms_messages where submit = 'waiting' and campaign_id not in (
          select id from sms_campaigns where status = 'processing' and (paused_at is not null or cancelled_at is not null))
      ) as is_message_waiting`.execute(db)
  return { isCampaignDue: rows[0]?.is_campaign_due ?? false, isMessageWaiting: rows[0]?.is_message_waiting ?? false }
}

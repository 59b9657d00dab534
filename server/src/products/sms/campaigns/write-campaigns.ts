import { sql } from 'kysely'
import type { Db } from '../../../platform/database/database.ts'
import { type CampaignSource, immediateRecipientsMax } from '../sms-words.ts'
import type { EncodedText, SmsSegmentRule } from '../text/encode-text.ts'

/** A campaign to be stored. */
export type NewCampaign = {
  readonly id: string
  readonly accountId: string
  readonly source: CampaignSource
  readonly sender: string
  readonly message: string
  readonly segmentRule: SmsSegmentRule
  /** The message, encoded by that rule. */
  readonly text: EncodedText
  /** Unique, 233 and nine digits each. */
  readonly recipients: readonly string[]
  readonly scheduledAt: Date | null
  /** The content rule that blocks it; then it costs nothing and is never sent. */
  readonly blockedBy?: string
}

/**
 * Stores campaigns, each with its recipients as one array: their rows are made by the worker that sends them. Of a
 * blocked one only their number is kept: it is sent to nobody and costs nothing, so ten thousand numbers would be a gift.
 */
export async function writeCampaigns(db: Db, campaigns: readonly NewCampaign[]): Promise<void> {
  if (campaigns.length === 0) return
  const credits = ({ text, recipients, blockedBy }: NewCampaign) =>
    blockedBy === undefined ? text.segments.length * recipients.length : 0
  await sql`
    insert into sms_campaigns (id, account_id, status, source, sender, message, encoding, segment_rule, segments,
      recipients, recipients_count, credits_charged, open_count, is_bulk, blocked_by, scheduled_at)
    select id, account_id, case when blocked_by is null then 'queued' else 'blocked' end, source, sender, message, encoding,
      segment_rule, segments, string_to_array(recipients, ','), recipients_count, credits,
      case when blocked_by is null then recipients_count else 0 end, recipients_count > ${immediateRecipientsMax}, blocked_by, scheduled_at
    from unnest(
      ${campaigns.map(({ id }) => id)}::uuid[],
      ${campaigns.map(({ accountId }) => accountId)}::uuid[],
      ${campaigns.map(({ source }) => source)}::text[],
      ${campaigns.map(({ sender }) => sender)}::text[],
      ${campaigns.map(({ message }) => message)}::text[],
      ${campaigns.map(({ text }) => text.encoding)}::text[],
      ${campaigns.map(({ segmentRule }) => segmentRule)}::text[],
      ${campaigns.map(({ text }) => text.segments.length)}::integer[],
      ${campaigns.map(({ recipients, blockedBy }) => (blockedBy === undefined ? recipients.join(',') : ''))}::text[],
      ${campaigns.map(({ recipients }) => recipients.length)}::integer[],
      ${campaigns.map(credits)}::bigint[],
      ${campaigns.map(({ blockedBy }) => blockedBy ?? null)}::text[],
      ${campaigns.map(({ scheduledAt }) => scheduledAt)}::timestamptz[])
      as wanted (id, account_id, source, sender, message, encoding, segment_rule, segments, recipients, recipients_count, credits,
        blocked_by, scheduled_at)`.execute(db)
}

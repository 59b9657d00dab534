import { sql } from 'kysely'
import { type Credits, credits } from '../../../money/amount.ts'
import type { Db } from '../../../platform/database/database.ts'
import { rowsOf } from '../../../platform/database/rows-of.ts'
import { type CampaignSource, immediateRecipientsMax } from '../sms-statuses.ts'
import type { EncodedText, SmsSegmentRule } from '../text/encode-text.ts'
import type { FilledTexts } from '../text/fill-in-names.ts'

export type NewCampaign = {
  readonly id: string
  readonly accountId: string
  readonly source: CampaignSource
  readonly sender: string
  readonly message: string
  readonly segmentRule: SmsSegmentRule
  readonly text: EncodedText
  /** Unique, 233 and nine digits each. */
  readonly recipients: readonly string[]
  /** Numbers of the request that have opted out. */
  readonly leftOut: readonly string[]
  /**
   * Only where names are filled in: the names, and the segments of each text, in the order of `recipients`. `text` is then the
   * longest text.
   */
  readonly filled?: Pick<FilledTexts, 'names' | 'segments'> | undefined
  readonly scheduledAt: Date | null
  /** The name of the content rule that blocks it, or `receipt`. A blocked campaign costs nothing and is never sent. */
  readonly blockedBy?: string
}

/** Credits of a campaign: the segments of all its texts (contract, SMS send, 1). */
export function creditsOf({ text, recipients, filled }: Pick<NewCampaign, 'text' | 'recipients' | 'filled'>): Credits {
  return credits(filled ? filled.segments.reduce((sum, each) => sum + each, 0) : text.segments.length * recipients.length)
}

/**
 * Stores campaigns, each with its recipients as one array; `expand-campaigns.ts` makes rows of it later. A blocked campaign is
 * stored without its recipients, only with how many they are: it costs nothing, and storing ten thousand numbers for free would
 * invite abuse.
 */
export async function writeCampaigns(db: Db, campaigns: readonly NewCampaign[]): Promise<void> {
  if (campaigns.length === 0) return
  await sql`
    insert into sms_campaigns (id, account_id, status, source, sender, message, encoding, segment_rule, segments,
      recipients, left_out, names, segments_of_each, recipients_count, credits_charged, open_count, is_bulk, blocked_by, scheduled_at)
    select id, account_id, case when blocked_by is null then 'queued' else 'blocked' end, source, sender, message, encoding,
      segment_rule, segments, string_to_array(recipients, ','), string_to_array(left_out, ','), string_to_array(names, E'\\n'),
      string_to_array(segments_of_each, ',')::smallint[], recipients_count, credits,
      case when blocked_by is null then recipients_count else 0 end, recipients_count > ${immediateRecipientsMax}, blocked_by, scheduled_at
    from ${rowsOf(campaigns, {
      id: ['uuid', ({ id }) => id],
      account_id: ['uuid', ({ accountId }) => accountId],
      source: ['text', ({ source }) => source],
      sender: ['text', ({ sender }) => sender],
      message: ['text', ({ message }) => message],
      encoding: ['text', ({ text }) => text.encoding],
      segment_rule: ['text', ({ segmentRule }) => segmentRule],
      segments: ['integer', ({ text }) => text.segments.length],
      recipients: ['text', ({ recipients, blockedBy }) => (blockedBy === undefined ? recipients.join(',') : '')],
      left_out: ['text', ({ leftOut, blockedBy }) => (blockedBy === undefined ? leftOut.join(',') : '')],
      // A name has no line breaks: see `usableName`.
      names: ['text', ({ filled, blockedBy }) => (blockedBy === undefined ? (filled?.names.join('\n') ?? null) : null)],
      segments_of_each: [
        'text',
        ({ filled, blockedBy }) => (blockedBy === undefined ? (filled?.segments.join(',') ?? null) : null),
      ],
      recipients_count: ['integer', ({ recipients }) => recipients.length],
      credits: ['bigint', (campaign) => (campaign.blockedBy === undefined ? creditsOf(campaign) : 0)],
      blocked_by: ['text', ({ blockedBy }) => blockedBy ?? null],
      scheduled_at: ['timestamptz', ({ scheduledAt }) => scheduledAt],
    }).as('wanted')}`.execute(db)
}

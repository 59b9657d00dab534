import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../platform/database/database.ts'
import { writeLongCsv } from '../../../platform/write-csv.ts'
import {
  type CampaignSource,
  type Canceller,
  cancelledReason,
  cancelledTitles,
  failedStateTitles,
  type MessageStatus,
  nameGoneReason,
  optedOutReason,
} from '../sms-statuses.ts'
import type { SmsEncoding } from '../text/encode-text.ts'

/** States of a campaign as the account's people see them. */
export const campaignStates = [
  'scheduled',
  'queued',
  'sending',
  'paused',
  'sent',
  'failed',
  'cancelling',
  'cancelled',
  'blocked',
] as const
export type CampaignState = (typeof campaignStates)[number]

export const campaignGroups = ['scheduled', 'running', 'ended'] as const
export type CampaignGroup = (typeof campaignGroups)[number]

export type AccountCampaign = {
  readonly id: string
  readonly state: CampaignState
  readonly message: string
  readonly sender: string
  readonly source: CampaignSource
  readonly encoding: SmsEncoding
  readonly segments: number
  readonly recipients_count: number
  readonly opted_out: number
  readonly credits_charged: number
  readonly credits_refunded: number
  readonly scheduled_at: Date | null
  readonly waits_until: Date | null
  readonly cancelled_by: Canceller | null
  readonly cancel_reason: string | null
  readonly created_at: Date
  readonly settled_at: Date | null
  readonly delivery: Partial<Record<MessageStatus, number>> | null
}

export const accountCampaignsPerPage = 20

/** State of a campaign, in a statement over `sms_campaigns`. */
export const campaignState = sql`case
  when status = 'blocked' then 'blocked'
  when cancelled_at is not null then case when settled_at is null then 'cancelling' else 'cancelled' end
  when status = 'queued' and scheduled_at > clock_timestamp() then 'scheduled'
  when status = 'processing' and paused_at is not null then 'paused'
  when status = 'processing' then 'sending'
  when status = 'completed' then 'sent'
  else status end`

/** How many messages of a campaign are in each state, in a statement over `sms_campaigns`. */
export const deliveryOf = sql`case
    when expanded_at is not null then (
      select json_object_agg(status, count) from (
        select status, count(*) as count from sms_messages where campaign_id = sms_campaigns.id group by status) as counted)
    when status = 'queued' then json_build_object('queued', recipients_count)
  end`

const canceller = sql`case
    when cancelled_at is null then null
    when cancel_reason is not null then 'platform'
    when is_cancelled_by_operator then 'operator'
    else 'account'
  end`

/** The end of the quiet hours that delay a queued campaign; null if none do. */
const waitsUntil = sql`case when status = 'queued' and recipients_count + cardinality(left_out) > 1
    then quiet_until(greatest(scheduled_at, clock_timestamp())) end`

const fields = sql`id, ${campaignState} as state, message, sender, source, encoding, segments, recipients_count, cardinality(left_out) as opted_out, credits_charged,
  credits_refunded, scheduled_at, ${waitsUntil} as waits_until, ${canceller} as cancelled_by, cancel_reason, created_at, settled_at,
  ${deliveryOf} as delivery`

const groups: Readonly<Record<CampaignGroup, RawBuilder<unknown>>> = {
  scheduled: sql`status = 'queued' and scheduled_at > clock_timestamp()`,
  running: sql`status in ('queued', 'processing') and (scheduled_at is null or scheduled_at <= clock_timestamp())`,
  ended: sql`status in ('completed', 'failed', 'blocked')`,
}

/** Lists a page of an account's campaigns, newest first, from both its programs and its people. */
export async function listAccountCampaigns(
  db: Db,
  accountId: string,
  { group, before }: { readonly group?: CampaignGroup | undefined; readonly before?: string | undefined },
): Promise<readonly AccountCampaign[]> {
  const { rows } = await sql<AccountCampaign>`
    select ${fields} from sms_campaigns
    where account_id = ${accountId} and (${before ?? null}::uuid is null or id < ${before ?? null}::uuid)
      and ${group === undefined ? sql`true` : groups[group]}
    order by id desc limit ${accountCampaignsPerPage}`.execute(db)
  return rows
}

/** Finds an account's campaign. Another account's campaign counts as absent. */
export async function findAccountCampaign(db: Db, accountId: string, campaignId: string): Promise<AccountCampaign | undefined> {
  const { rows } = await sql<AccountCampaign>`
    select ${fields} from sms_campaigns where account_id = ${accountId} and id = ${campaignId}`.execute(db)
  return rows[0]
}

type FailedMessage = { recipient: string; status: MessageStatus; reason: string | null; status_updated_at: Date }

/** Our words for the reseller: suppliers' own words are only for the operator. */
const ownReasons: Readonly<Record<string, string>> = {
  [cancelledReason]: 'cancelled',
  [nameGoneReason]: 'not sent, the name for its text was deleted',
  [optedOutReason]: 'not sent, the number has opted out',
  'never handed over until the deadline': 'not handed over in time',
}
const plainReasons: Partial<Readonly<Record<MessageStatus, string>>> = {
  failed: 'refused by the network',
  undelivered: 'the network could not deliver it',
  expired: 'the phone was not reached in time',
  rejected: 'the network rejected it',
}

/** Writes as CSV the messages of a campaign that did not arrive, for a spreadsheet or another try. */
export async function writeFailuresCsv(
  db: Db,
  { campaignId, cancelledBy }: { readonly campaignId: string; readonly cancelledBy: Canceller | null },
): Promise<string> {
  const { rows } = await sql<FailedMessage>`
    select recipient, status, reason, status_updated_at from sms_messages
    where campaign_id = ${campaignId} and status in ('failed', 'undelivered', 'expired', 'rejected') order by n`.execute(db)
  return writeLongCsv({
    columns: ['recipient', 'status', 'reason', 'time'],
    rows: rows.map(({ recipient, status, reason, status_updated_at: time }) => ({
      recipient: `0${recipient.slice(3)}`,
      status: reason === cancelledReason ? cancelledTitles[cancelledBy ?? 'platform'] : failedStateTitles[status],
      reason: ownReasons[reason ?? ''] ?? plainReasons[status],
      time,
    })),
  })
}

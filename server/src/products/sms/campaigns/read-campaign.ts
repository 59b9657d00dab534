import { sql } from 'kysely'
import type { Db } from '../../../platform/database/database.ts'
import type { CampaignStatus, MessageStatus } from '../sms-statuses.ts'

export type CampaignFigures = {
  readonly id: string
  readonly status: CampaignStatus
  readonly sender: string
  readonly recipientsCount: number
  readonly segments: number
  readonly creditsCharged: number
  readonly createdAt: Date
  readonly isExpanded: boolean
  /** How many messages are in each status, over the whole campaign. */
  readonly delivery: Partial<Record<MessageStatus, number>>
}

/** Finds an account's campaign. Another account's campaign counts as absent (decision A12). */
export async function findCampaign(db: Db, accountId: string, campaignId: string): Promise<CampaignFigures | undefined> {
  const { rows } = await sql<{
    id: string
    status: CampaignStatus
    sender: string
    recipients_count: number
    segments: number
    credits_charged: number
    created_at: Date
    is_expanded: boolean
    delivery: Partial<Record<MessageStatus, number>> | null
  }>`
    select id, status, sender, recipients_count, segments, credits_charged, created_at, expanded_at is not null as is_expanded,
      case
        when expanded_at is not null then (
          select json_object_agg(status, count) from (
            select status, count(*) as count from sms_messages where campaign_id = sms_campaigns.id group by status) as counted)
        when status = 'queued' then json_build_object('queued', recipients_count)
      end as delivery
    from sms_campaigns where id = ${campaignId} and account_id = ${accountId}`.execute(db)
  const [row] = rows
  if (!row) return undefined
  return {
    id: row.id,
    status: row.status,
    sender: row.sender,
    recipientsCount: row.recipients_count,
    segments: row.segments,
    creditsCharged: row.credits_charged,
    createdAt: row.created_at,
    isExpanded: row.is_expanded,
    delivery: row.delivery ?? {},
  }
}

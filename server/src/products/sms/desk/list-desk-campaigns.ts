import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../platform/database/database.ts'
import { type CampaignGroup, type CampaignState, campaignState, deliveryOf } from '../members/list-account-campaigns.ts'
import type { CampaignSource, MessageStatus } from '../sms-statuses.ts'

export type DeskCampaign = {
  readonly campaignId: string
  readonly accountId: string
  readonly account: string
  readonly accountName: string
  readonly state: CampaignState
  readonly message: string
  readonly sender: string
  readonly source: CampaignSource
  readonly segments: number
  readonly recipients: number
  readonly creditsCharged: number
  readonly creditsRefunded: number
  /** Name of the content rule that blocked it, or `receipt`. Null: not blocked. */
  readonly blockedBy: string | null
  readonly pausedBy: string | null
  readonly isPausedByOperator: boolean
  readonly cancelledBy: string | null
  readonly cancelReason: string | null
  readonly scheduledAt: Date | null
  readonly createdAt: Date
  readonly settledAt: Date | null
  readonly delivery: Partial<Record<MessageStatus, number>>
}

export const deskCampaignsPerPage = 30

export type CampaignsWanted = {
  readonly accountId?: string | undefined
  readonly group?: CampaignGroup | undefined
  readonly before?: string | undefined
}

/**
 * The conditions that select each group of campaigns. Each condition is queried by itself, so that it can use its own index.
 */
const groupParts: Readonly<Record<CampaignGroup, readonly RawBuilder<unknown>[]>> = {
  scheduled: [sql`status = 'queued' and scheduled_at > clock_timestamp()`],
  running: [sql`status = 'queued' and (scheduled_at is null or scheduled_at <= clock_timestamp())`, sql`status = 'processing'`],
  ended: [sql`status in ('completed', 'failed', 'blocked')`],
}

function selectIds({ accountId, group, before }: CampaignsWanted): RawBuilder<unknown> {
  const others = sql`
    ${accountId === undefined ? sql`true` : sql`account_id = ${accountId}`}
    and ${before === undefined ? sql`true` : sql`id < ${before}::uuid`}`
  const parts = group === undefined ? [sql`true`] : groupParts[group]
  const each = parts.map(
    (part) => sql`(select id from sms_campaigns where ${part} and ${others} order by id desc limit ${deskCampaignsPerPage})`,
  )
  return sql`select id from (${sql.join(each, sql` union all `)}) as fitting order by id desc limit ${deskCampaignsPerPage}`
}

async function readCampaigns(db: Db, ids: RawBuilder<unknown>): Promise<readonly DeskCampaign[]> {
  const { rows } = await sql<DeskCampaign>`
    with wanted as materialized (${ids})
    select sms_campaigns.id as "campaignId", account_id as "accountId", account.email as account, account.name as "accountName",
      ${campaignState} as state, message, sender, source, segments, recipients_count as recipients,
      credits_charged as "creditsCharged", credits_refunded as "creditsRefunded", blocked_by as "blockedBy",
      paused_by as "pausedBy", is_paused_by_operator as "isPausedByOperator", cancelled_by as "cancelledBy",
      cancel_reason as "cancelReason", scheduled_at as "scheduledAt", created_at as "createdAt", settled_at as "settledAt",
      coalesce(${deliveryOf}, '{}') as delivery
    from wanted join sms_campaigns on sms_campaigns.id = wanted.id
    cross join lateral (select email, name from accounts where accounts.id = sms_campaigns.account_id limit 1) as account
    order by sms_campaigns.id desc`.execute(db)
  return rows
}

export function listDeskCampaigns(db: Db, query: CampaignsWanted): Promise<readonly DeskCampaign[]> {
  return readCampaigns(db, selectIds(query))
}

export async function findDeskCampaign(db: Db, id: string): Promise<DeskCampaign | undefined> {
  const [campaign] = await readCampaigns(db, sql`select ${id}::uuid as id`)
  return campaign
}

/** A message with its supplier and that supplier's answer. */
export type DeskMessage = {
  readonly n: number
  readonly recipient: string
  readonly status: MessageStatus
  readonly supplier: string | null
  readonly reason: string | null
  readonly updatedAt: Date
}

export const deskMessagesPerPage = 100

/** Lists messages of a campaign in the order of its recipients, after the last one on the page before. */
export async function listDeskMessages(
  db: Db,
  campaignId: string,
  { after, status }: { readonly after?: number | undefined; readonly status?: MessageStatus | undefined },
): Promise<readonly DeskMessage[]> {
  const { rows } = await sql<DeskMessage>`
    select n, recipient, status, supplier, reason, status_updated_at as "updatedAt" from sms_messages
    where campaign_id = ${campaignId} and n > ${after ?? -1} and (${status ?? null}::text is null or status = ${status ?? null}::text)
    order by n limit ${deskMessagesPerPage}`.execute(db)
  return rows
}

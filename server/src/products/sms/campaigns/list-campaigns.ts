import { sql } from 'kysely'
import type { Db } from '../../../platform/database/database.ts'
import type { CampaignSource, CampaignStatus } from '../sms-statuses.ts'

/** Campaigns of one page (contract, Limits). */
export const campaignsPerPage = 30

export type CampaignRow = {
  readonly id: string
  readonly status: CampaignStatus
  readonly recipients_count: number
  readonly segments: number
  readonly credits_charged: number
  readonly sender: string
  readonly source: CampaignSource
  readonly scheduled_at: Date | null
  readonly created_at: Date
}

/** Filter of campaigns. The dates are whole days in Accra (UTC), both included (decision A14). */
export type CampaignFilter = {
  readonly page: number
  readonly status?: CampaignStatus | undefined
  /** `YYYY-MM-DD`. */
  readonly from?: string | undefined
  readonly to?: string | undefined
}

export async function listCampaigns(db: Db, accountId: string, filter: CampaignFilter): Promise<readonly CampaignRow[]> {
  const { page, status = null, from = null, to = null } = filter
  const { rows } = await sql<CampaignRow>`
    select id, status, recipients_count, segments, credits_charged, sender, source, scheduled_at, created_at
    from sms_campaigns
    where account_id = ${accountId}
      and (${status}::text is null or status = ${status}::text)
      and (${from}::text is null or created_at >= (${from}::text || 'T00:00:00Z')::timestamptz)
      and (${to}::text is null or created_at < (${to}::text || 'T00:00:00Z')::timestamptz + interval '1 day')
    order by id desc
    limit ${campaignsPerPage} offset ${page * campaignsPerPage}::bigint`.execute(db)
  return rows
}

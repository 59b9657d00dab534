import { sql } from 'kysely'
import type { Db } from '../../../platform/database/database.ts'
import { cancelledReason, type MessageStatus } from '../sms-statuses.ts'
import type { CampaignFigures } from './read-campaign.ts'

/** Messages of one page (contract, Limits): callers read on until a page has fewer. */
export const messagesPerPage = 100

export type MessageRow = {
  readonly recipient: string
  readonly status: MessageStatus
  readonly status_updated_at: Date
  /** True when the message was cancelled before it was sent. */
  readonly is_cancelled: boolean
}

type MessageFilter = { readonly page: number; readonly status?: MessageStatus | undefined }

/** Until the worker writes the messages' rows, the recipients are in the campaign's array and all are `queued`. */
async function listWaiting(db: Db, campaignId: string, { page }: MessageFilter): Promise<readonly MessageRow[]> {
  const { rows } = await sql<MessageRow>`
    select recipient, 'queued' as status, created_at as status_updated_at, false as is_cancelled
    from sms_campaigns, unnest(recipients) with ordinality as wanted (recipient, n)
    where id = ${campaignId} order by n limit ${messagesPerPage} offset ${page * messagesPerPage}::bigint`.execute(db)
  return rows
}

export async function listMessages(db: Db, campaign: CampaignFigures, filter: MessageFilter): Promise<readonly MessageRow[]> {
  const { page, status = null } = filter
  if (!campaign.isExpanded) {
    const isWanted = campaign.status === 'queued' && (status === null || status === 'queued')
    return isWanted ? listWaiting(db, campaign.id, filter) : []
  }
  const { rows } = await sql<MessageRow>`
    select recipient, status, status_updated_at, reason is not distinct from ${cancelledReason} as is_cancelled from sms_messages
    where campaign_id = ${campaign.id} and (${status}::text is null or status = ${status}::text)
    order by n limit ${messagesPerPage} offset ${page * messagesPerPage}::bigint`.execute(db)
  return rows
}

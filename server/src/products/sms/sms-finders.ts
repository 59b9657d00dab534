import { sql } from 'kysely'
import type { Finder, FinderDeps, Match, SearchText } from '../../platform/finding/finder.ts'
import { showMoment } from '../../platform/texts-for-people.ts'
import { segmentsOfMessage } from './campaigns/settle-campaigns.ts'
import { messageKey } from './link/receipt-keys.ts'

/** The receipt of a message with one segment is in the message's row, not in the row of its segment. */
async function findMessages({ db }: FinderDeps, { text }: SearchText, limit: number): Promise<Match[]> {
  const { rows } = await sql<{ campaign_id: string; n: number; part_no: number; supplier: string; state: string | null }>`
    select part.* from suppliers
    cross join lateral (
      select campaign_id, n, part_no, supplier, coalesce(state, (
          select message.status from sms_messages as message join sms_campaigns as campaign on id = message.campaign_id
          where message.campaign_id = sms_parts.campaign_id and message.n = sms_parts.n and ${segmentsOfMessage} = 1
            and message.status not in ('queued', 'sent'))) as state
      from sms_parts
      where sms_parts.supplier = suppliers.name and message_key = ${messageKey(text)}
      limit ${limit}
    ) as part
    order by part.campaign_id desc, part.n, part.part_no
    limit ${limit}`.execute(db)
  return rows.map((part) => ({
    type: 'message',
    id: `${part.campaign_id}/${part.n}`,
    text: `Segment ${part.part_no} of message ${part.n} of campaign ${part.campaign_id} at ${part.supplier}: ${part.state ?? 'no receipt yet'}.`,
    next: `makola order show ${part.campaign_id}`,
    path: `/sms/${part.campaign_id}`,
  }))
}

/** Finds a message by the id that its SMS supplier gave it. */
export const messageFinder: Finder = { finds: 'messages', find: findMessages }

type CampaignRow = { id: string; account_id: string; status: string; sender: string; recipients_count: number; created_at: Date }

async function findCampaigns({ db }: FinderDeps, { id }: SearchText): Promise<Match[]> {
  if (id === undefined) return []
  const { rows } = await sql<CampaignRow>`
    select id, account_id, status, sender, recipients_count, created_at from sms_campaigns where id = ${id}`.execute(db)
  return rows.map((row) => ({
    type: 'campaign',
    id: row.id,
    text: `A campaign of account ${row.account_id} from ${row.sender} to ${row.recipients_count} recipients, ${row.status}, of ${showMoment(row.created_at)}.`,
    // A blocked campaign has no order, so the next command shows its account.
    next: row.status === 'blocked' ? `makola account show --account ${row.account_id}` : `makola order show ${row.id}`,
    path: `/sms/${row.id}`,
  }))
}

/** Finds a campaign by its id, which is also the id of its order. A campaign that the content policy blocked has no order. */
export const campaignFinder: Finder = { finds: 'campaigns', find: findCampaigns }

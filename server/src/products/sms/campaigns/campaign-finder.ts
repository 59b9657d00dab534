import { sql } from 'kysely'
import type { Finder, FinderDeps, Match, Wanted } from '../../../platform/finding/finder.ts'
import { showMoment } from '../../../platform/show-moment.ts'

type CampaignRow = { id: string; account_id: string; status: string; sender: string; recipients_count: number; created_at: Date }

async function findCampaigns({ db }: FinderDeps, { id }: Wanted): Promise<Match[]> {
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

import { sql } from 'kysely'
import type { Finder, FinderDeps, Match, Wanted } from '../../../platform/finding/finder.ts'
import { segmentsOfMessage } from '../segments-of-message.ts'
import { messageKey } from './receipt-keys.ts'

/** The receipt of a message with one segment is in the message's row. */
async function findMessages({ db }: FinderDeps, { text }: Wanted, limit: number): Promise<Match[]> {
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

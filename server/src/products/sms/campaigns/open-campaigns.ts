import { type RawBuilder, sql } from 'kysely'
import { ownLoopRoute } from '../../../orders/routes-without-suppliers.ts'
import type { Db, Tx } from '../../../platform/database/database.ts'
import { firstIdAt, momentOfId } from '../../../platform/database/first-id-at.ts'

const ofCampaigns = sql`open_orders where route = ${sql.lit(ownLoopRoute('sms'))}`

/**
 * True while a campaign is `queued` or `processing`, and so while a message waits or has no answer: the order of a campaign is in
 * the schedule from the transaction that places it to the one that settles it. The audit holds them to that.
 */
export const isCampaignOpen = sql<boolean>`exists (select from ${ofCampaigns})`

/** The condition that a column with a campaign's id is of a campaign that may be open, or of a later one. */
export type SinceOldestOpen = (column: string) => RawBuilder<boolean>

/**
 * Finds the bound of statements about open campaigns: the month of the oldest one, however long ago that is. Without it
 * PostgreSQL plans them for all months, which takes longer than running them. The bound is in the text of a statement, so that
 * a plan which PostgreSQL keeps leaves out the earlier months.
 * @returns undefined while no campaign is open
 */
export async function findOldestOpen(db: Db | Tx): Promise<SinceOldestOpen | undefined> {
  // `offset 0`: by the index of the route. In the order of ids PostgreSQL might read the open orders of all other products.
  const { rows } = await sql<{ id: string }>`
    select order_id as id from (select order_id from ${ofCampaigns} offset 0) as open order by order_id limit 1`.execute(db)
  const [oldest] = rows
  if (!oldest) return undefined
  const at = new Date(momentOfId(oldest.id))
  const first = firstIdAt(Date.UTC(at.getUTCFullYear(), at.getUTCMonth()))
  return (column) => sql<boolean>`${sql.ref(column)} >= ${sql.lit(first)}::uuid`
}

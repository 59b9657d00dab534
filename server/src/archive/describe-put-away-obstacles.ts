import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'
import type { PutAwayMonth } from '../platform/partitions/put-away-months.ts'

/** Things that a month must not have when it is put away, each with a query of their ids. */
const obstacles = [
  { words: 'open orders', rows: sql`select order_id as id from open_orders` },
  { words: 'failed orders that are not refunded', rows: sql`select order_id as id from unrefunded_orders` },
  {
    words: 'reports that an order did not arrive, without an answer',
    rows: sql`select order_id as id from order_reports where answered_at is null`,
  },
  { words: 'top-ups that wait', rows: sql`select id from top_ups where ended_at is null or state = 'held'` },
  {
    words: 'proposals that wait for a second person',
    rows: sql`select id from approvals where state = 'pending' and expires_at > now()`,
  },
  {
    words: 'orders whose numbers are not forgotten yet',
    rows: sql`select id from orders where recipient_hash is null and recipient <> ''`,
  },
] as const

const namedIdsMax = 3

/**
 * True when the daily sums go back to the first day of the month, or to the oldest day that is counted at all. Without the rows
 * of the month its sums could not be computed any more.
 */
async function isCounted(db: Db, month: string): Promise<boolean> {
  const { rows } = await sql`
    select from report_progress where first_day <= greatest(oldest_day, ${`${month}-01`}::date)`.execute(db)
  return rows.length > 0
}

/** True when somebody entered a cost and a worker has not yet counted the costs of the month's days again. */
async function isRecountWaiting(db: Db, month: string): Promise<boolean> {
  const { rows } = await sql`
    select from cost_recounts where since < ${`${month}-01`}::date + interval '1 month' limit 1`.execute(db)
  return rows.length > 0
}

/** Describes what keeps a month from being put away, with the first ids. Empty: nothing does. */
export async function describePutAwayObstacles(db: Db, { month, first, end }: PutAwayMonth): Promise<string[]> {
  const open = (await isCounted(db, month)) ? [] : ['days whose sales a worker has not counted yet']
  if (await isRecountWaiting(db, month)) open.push('days whose costs a worker has not counted again yet')
  for (const { words, rows: things } of obstacles) {
    const { rows } = await sql<{ id: string }>`
      select id from (${things}) as thing where id >= ${first}::uuid and id < ${end}::uuid limit ${namedIdsMax + 1}`.execute(db)
    if (rows.length === 0) continue
    const ids = rows.slice(0, namedIdsMax).map(({ id }) => id)
    open.push(`${words}: ${ids.join(', ')}${rows.length > namedIdsMax ? ' and more' : ''}`)
  }
  return open
}

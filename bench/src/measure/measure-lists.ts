import { sql } from 'kysely'
import { listOrders } from '../../../server/src/orders/queries/list-orders.ts'
import type { OrderQuery } from '../../../server/src/orders/queries/order-filters.ts'
import type { Db } from '../../../server/src/platform/database/database.ts'
import { products } from '../../../server/src/products/products.ts'
import type { Bench } from '../bench-servers.ts'
import type { EmptyShop } from '../open-empty-shop.ts'
import { atLeast, milliseconds } from '../report/make-ratio.ts'
import type { Ratio } from '../report/report.ts'
import { median } from './median.ts'

/** Each list is read this often in each of the two databases. */
const pairs = 41

/** In the full database, the month to filter by begins this many milliseconds ago. In the empty one, it begins a day ago. */
const monthOfHistoryAgo = 1.5 * 365 * 86_400_000

type ListQuery = Omit<OrderQuery, 'limit'>

/** Reads a page of the desk's list. @returns its milliseconds */
async function timeList(db: Db, query: ListQuery): Promise<number> {
  const beganAt = performance.now()
  const { orders } = await listOrders(db, products, { ...query, limit: 50 })
  if (orders.length === 0) throw new Error(`the list by ${JSON.stringify(query)} is empty`)
  return performance.now() - beganAt
}

/**
 * Reads the same list of both databases in turn, many times, so that a slow moment of the machine slows both. Every second
 * pair is read in reverse.
 */
async function compareLists(full: () => Promise<number>, empty: () => Promise<number>) {
  const taken: { ours: number; base: number }[] = []
  for (let pair = 0; pair < pairs; pair += 1) {
    if (pair % 2 === 0) taken.push({ ours: await full(), base: await empty() })
    else taken.push({ base: await empty(), ours: await full() })
  }
  return {
    speed: median(taken.map(({ ours, base }) => base / ours)),
    ours: median(taken.map(({ ours }) => ours)),
    base: median(taken.map(({ base }) => base)),
  }
}

/**
 * Times each filter of the desk's list of orders in the database with the history and in the empty one.
 * @param ids an account with orders in each of the two databases
 */
export async function measureLists(
  bench: Bench,
  empty: EmptyShop,
  ids: { readonly full: string; readonly empty: string },
): Promise<Ratio[]> {
  const anyOrder = async (db: Db, accountId: string) => {
    const { rows } = await sql<{ recipient: string }>`
      select recipient from orders where account_id = ${accountId} order by id limit 1`.execute(db)
    return rows[0]?.recipient ?? ''
  }
  const recipients = { full: await anyOrder(bench.db, ids.full), empty: await anyOrder(empty.db, ids.empty) }
  const filters: [string, (of: 'full' | 'empty') => ListQuery][] = [
    ['all', () => ({})],
    ['an account', (of) => ({ accountId: ids[of] })],
    ['a recipient', (of) => ({ recipients: [recipients[of]] })],
    ['a status', () => ({ status: 'pending' })],
    [
      'a month',
      (of) => {
        const from = new Date(Date.now() - (of === 'full' ? monthOfHistoryAgo : 86_400_000))
        return { from, to: new Date(from.getTime() + 30 * 86_400_000) }
      },
    ],
  ]
  const ratios: Ratio[] = []
  for (const [name, query] of filters) {
    const [full, none] = [query('full'), query('empty')]
    const { speed, ours, base } = await compareLists(
      () => timeList(bench.db, full),
      () => timeList(empty.db, none),
    )
    ratios.push(atLeast(`list of orders by ${name}, speed ÷ empty`, speed, 0.9, milliseconds(ours, base)))
  }
  return ratios
}

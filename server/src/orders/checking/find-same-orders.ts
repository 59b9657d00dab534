import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { firstIdAt } from '../../platform/database/first-id-at.ts'
import { rowsOf } from '../../platform/database/rows-of.ts'
import type { OrderStatus } from '../order-life-cycle.ts'

/** A person must confirm an order when another order bought the same within this time. */
const sameWithinMilliseconds = 3_600_000

/** Two orders that agree in all these fields buy the same thing. */
export type Goods = {
  readonly recipient: string
  /** The network, or the biller of a bill. */
  readonly network: string
  /** The size of a bundle, such as `5GB`; of other goods their price in pesewas. */
  readonly variety: string
}

export type SameOrder = { readonly orderId: string; readonly status: OrderStatus; readonly minutesAgo: number }

type Row = { place: number; id: string; status: OrderStatus; minutes_ago: number }

/**
 * Finds, for each of the goods, the account's latest order of the last hour that bought the same: by any person of the account,
 * or by its program. Failed, refunded and cancelled orders do not count.
 *
 * @param known.now a moment of the database's clock. An id has the time of a process's clock, so the bounds on ids allow for a
 * difference. With these bounds, PostgreSQL skips the partitions of other months.
 * @returns the orders by the indexes of the goods
 */
export async function findSameOrders(
  db: Db,
  known: { readonly accountId: string; readonly kind: string; readonly now: Date },
  goods: readonly Goods[],
): Promise<ReadonlyMap<number, SameOrder>> {
  if (goods.length === 0) return new Map()
  const now = known.now.getTime()
  const wanted = rowsOf([...goods.entries()], {
    place: ['integer', ([place]) => place],
    recipient: ['text', ([, { recipient }]) => recipient],
    network: ['text', ([, { network }]) => network],
    variety: ['text', ([, { variety }]) => variety],
  })
  const { rows } = await sql<Row>`
    select wanted.place, same.id, same.status,
      greatest(0, floor(extract(epoch from clock_timestamp() - same.created_at) / 60))::integer as minutes_ago
    from ${wanted.as('wanted')}, lateral (
      select id, status, created_at from orders
      where orders.recipient = wanted.recipient
        and id between ${firstIdAt(now - 2 * sameWithinMilliseconds)}::uuid and ${firstIdAt(now + sameWithinMilliseconds)}::uuid
        and created_at > clock_timestamp() - make_interval(secs => ${sameWithinMilliseconds / 1_000})
        and account_id = ${known.accountId} and kind = ${known.kind} and status not in ('failed', 'refunded', 'cancelled')
        and coalesce(details ->> 'network', details ->> 'biller') = wanted.network
        and coalesce(details ->> 'size', price::text) = wanted.variety
      order by id desc limit 1
    ) as same`.execute(db)
  return new Map(rows.map(({ place, id, status, minutes_ago }) => [place, { orderId: id, status, minutesAgo: minutes_ago }]))
}

import { sql } from 'kysely'
import type { Logger } from 'pino'
import { lockWallets } from '../../money/wallets.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import type { Settings } from '../../platform/settings/settings.ts'
import { listOrdersById, type Order } from '../order.ts'
import { platformPatience } from '../orders.settings.ts'
import { type ProductFacts, productOf } from '../product-facts.ts'
import { ourMistake } from './explain-refund.ts'
import { moveOrders } from './move-orders.ts'
import { lockStock, refundOrders, refundsAutomatically } from './refund-orders.ts'
import { refundOf } from './return-money.ts'

type OverdueDeps = {
  readonly db: Db
  readonly settings: Settings
  readonly products: readonly ProductFacts[]
  readonly log: Pick<Logger, 'error'>
}

/** One transaction takes at most this many orders, so that its locks are short. */
const batchMax = 256

/**
 * The condition on `open_orders` under which our own mistake has kept an order waiting too long. The order is held, so no
 * worker is sending it, and all its attempts are proven not to have delivered: silence alone never ends an order.
 */
function isOverdue(patienceMinutes: number) {
  return sql<boolean>`
    our_mistake_since <= clock_timestamp() - make_interval(mins => ${patienceMinutes})
    and attempt_no is null and lease_until <= clock_timestamp()
    and hold_reason is not null and hold_reason <> 'not_registered'
    and not exists (select from attempts where attempts.order_id = open_orders.order_id
      and (outcome is null or outcome in ('unknown', 'accepted', 'delivered')))`
}

export const isMistakeOpen = sql<boolean>`exists (select from open_orders where our_mistake_since is not null)`

async function listOverdue(db: Db, patienceMinutes: number): Promise<Order[]> {
  const { rows } = await sql<{ order_id: string }>`
    select order_id from open_orders where ${isOverdue(patienceMinutes)} order by our_mistake_since limit ${batchMax}`.execute(db)
  const orderIds = rows.map((row) => row.order_id)
  return [...(await listOrdersById(db, orderIds)).values()]
}

async function lockOverdue(tx: Tx, orders: readonly Order[], patienceMinutes: number): Promise<Set<string>> {
  const { rows } = await sql<{ order_id: string }>`
    select order_id from open_orders
    where order_id = any(${orders.map(({ id }) => id)}::uuid[]) and ${isOverdue(patienceMinutes)}
    order by order_id
    for update`.execute(tx)
  return new Set(rows.map((row) => row.order_id))
}

type Overdue = { readonly order: Order; readonly product: ProductFacts; readonly isRefunded: boolean }

/** Locks wallets, then stock, then open orders, then orders, as everywhere. @returns the orders that failed now */
async function failOrders(tx: Tx, overdue: readonly Overdue[], patienceMinutes: number): Promise<Order[]> {
  const refunding = overdue.filter(({ isRefunded }) => isRefunded)
  await lockWallets(
    tx,
    refunding.map(({ order: { accountId } }) => ({ accountId, purse: 'main' })),
  )
  await lockStock(
    tx,
    refunding.map(({ order }) => order.id),
  )
  const held = await lockOverdue(
    tx,
    overdue.map(({ order }) => order),
    patienceMinutes,
  )
  const moves = [...held].map((orderId) => ({ orderId, reason: ourMistake }))
  const failed = new Set<string>()
  for (const from of ['pending', 'processing'] as const) {
    for (const orderId of await moveOrders(tx, from, 'failed', 'worker', moves)) failed.add(orderId)
  }
  const refunds = refunding.filter(({ order }) => failed.has(order.id)).map(({ order, product }) => refundOf(product, order))
  await refundOrders(tx, refunds, 'worker')
  await sql`delete from open_orders where order_id = any(${[...failed]}::uuid[])`.execute(tx)
  return overdue.map(({ order }) => order).filter(({ id }) => failed.has(id))
}

/**
 * Fails orders that have waited for a mistake of ours to be mended (a closed offer, refused credentials) for longer than
 * the setting `platform_patience` allows (decision S12b), and refunds those whose product refunds failed orders at once.
 * The alarm about the mistake stays.
 *
 * @returns how many orders failed
 */
export async function failOverdueMistakes({ db, settings, products, log }: OverdueDeps): Promise<number> {
  const patienceMinutes = await settings.read(platformPatience)
  let count = 0
  for (;;) {
    const orders = await listOverdue(db, patienceMinutes)
    if (orders.length === 0) return count
    const overdue = await Promise.all(
      orders.map(async (order) => {
        const product = productOf(products, order.kind)
        return { order, product, isRefunded: await refundsAutomatically(settings, product) }
      }),
    )
    const failed = await inTransaction(db, (tx) => failOrders(tx, overdue, patienceMinutes))
    for (const { reference } of failed) log.error({ reference, patienceMinutes }, 'an order failed for a mistake of ours')
    count += failed.length
    if (failed.length === 0) return count
  }
}

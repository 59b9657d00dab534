import { viewAmount } from '../../money/amount.ts'
import { ghs } from '../../money/pesewas.ts'
import type { Db } from '../../platform/database/database.ts'
import { writeCsv } from '../../platform/write-csv.ts'
import type { SoldBy } from '../order.ts'
import { type ListedOrder, listOrders } from './list-orders.ts'
import type { OrderQuery } from './order-filters.ts'

/** The time in Accra, which is UTC all year. */
export const timeInAccra = (moment: Date) => moment.toISOString().slice(0, 19).replace('T', ' ')

const columns: Readonly<Record<string, (order: ListedOrder) => string>> = {
  time: (order) => timeInAccra(order.createdAt),
  order_id: (order) => order.id,
  reference: (order) => order.reference,
  account: (order) => order.account ?? order.accountId,
  product: (order) => order.kind,
  network: (order) => order.network ?? '',
  recipient: (order) => order.recipient,
  price: ({ price }) => (price.unit === 'pesewas' ? ghs(price.amount).toFixed(2) : String(price.amount)),
  unit: ({ price }) => viewAmount(price).unit,
  status: (order) => order.status,
  supplier: (order) => order.supplier ?? '',
  cost: ({ costPesewas }) => (costPesewas === null ? '' : ghs(costPesewas).toFixed(2)),
  cost_is_estimate: (order) => (order.costPesewas === null ? '' : String(order.isCostEstimated)),
}

/** How many orders are read and written at a time, so that memory never holds all of a long list. */
const pieceOrders = 1_000

/**
 * Writes all orders that fit a query as CSV, a piece at a time, for the operator.
 * @param most how many at most
 */
export async function* writeOrderList(
  db: Db,
  products: readonly SoldBy[],
  query: Omit<OrderQuery, 'limit'>,
  most = Infinity,
): AsyncGenerator<{ readonly text: string; readonly written: number }> {
  yield { text: writeCsv([Object.keys(columns)]), written: 0 }
  let written = 0
  let after: string | null | undefined = query.after
  while (after !== null && written < most) {
    const limit = Math.min(pieceOrders, most - written)
    const page = await listOrders(db, products, { ...query, ...(after !== undefined && { after }), limit })
    written += page.orders.length
    const rows = page.orders.map((order) => Object.values(columns).map((cellOf) => cellOf(order)))
    if (rows.length > 0) yield { text: writeCsv(rows), written }
    after = page.next
  }
}

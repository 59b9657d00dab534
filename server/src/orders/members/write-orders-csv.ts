import { viewAmount } from '../../money/amount.ts'
import { writeCsv } from '../../platform/write-csv.ts'
import { productOf } from '../product-facts.ts'
import { type ListedOrder, listOrders } from '../queries/list-orders.ts'
import { type AccountOrderDeps, type AccountOrderFilters, readAccountQuery } from './list-account-orders.ts'

/** How many orders are read and written at a time, so that memory never holds all of a long list. */
const pieceOrders = 500

const header = ['time', 'order_id', 'reference', 'product', 'network', 'variety', 'recipient', 'price', 'unit', 'status']

/** Writes all orders that fit the filters as CSV, a piece at a time, newest first. */
export async function* writeOrdersCsv(
  deps: AccountOrderDeps,
  accountId: string,
  filters: AccountOrderFilters,
): AsyncGenerator<string> {
  const query = await readAccountQuery(deps, accountId, filters)
  const cellsOf = (order: ListedOrder) => {
    const { amount, unit } = viewAmount(order.price)
    // The time in Accra, which is UTC all year.
    const time = order.createdAt.toISOString().slice(0, 19).replace('T', ' ')
    const { title } = productOf(deps.products, order.kind)
    const goods = [title, order.network ?? '', order.variety ?? '']
    return [time, order.id, order.reference, ...goods, order.recipient, amount, unit, order.status]
  }
  yield writeCsv([header])
  let after: string | null | undefined
  while (after !== null) {
    const page = await listOrders(deps.db, deps.products, { ...query, ...(after !== undefined && { after }), limit: pieceOrders })
    if (page.orders.length > 0) yield writeCsv(page.orders.map(cellsOf))
    after = page.next
  }
}

import { writeCsvHead, writeCsvRows } from '../../platform/write-csv.ts'
import { listOrders } from '../queries/list-orders.ts'
import { cellsOfOrder, orderColumns as columns } from '../queries/write-order-list.ts'
import { type AccountOrderDeps, type AccountOrderFilters, readAccountQuery } from './list-account-orders.ts'

/** How many orders are read and written at a time, so that memory never holds all of a long list. */
const pieceOrders = 500

/** Writes all orders that fit the filters as CSV, a piece at a time, newest first. */
export async function* writeOrdersCsv(
  deps: AccountOrderDeps,
  accountId: string,
  filters: AccountOrderFilters,
): AsyncGenerator<string> {
  const query = await readAccountQuery(deps, accountId, filters)
  yield writeCsvHead(columns)
  let after: string | null | undefined
  while (after !== null) {
    const page = await listOrders(deps.db, deps.products, { ...query, ...(after !== undefined && { after }), limit: pieceOrders })
    yield writeCsvRows({ columns, rows: page.orders.map(cellsOfOrder) })
    after = page.next
  }
}

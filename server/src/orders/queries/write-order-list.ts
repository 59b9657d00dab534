import { viewAmount } from '../../money/amount.ts'
import type { Db } from '../../platform/database/database.ts'
import { type CsvRow, writeCsvHead, writeCsvRows } from '../../platform/write-csv.ts'
import type { SoldBy } from '../order.ts'
import { type ListedOrder, listOrders } from './list-orders.ts'
import type { OrderQuery } from './order-filters.ts'

/** The columns for the reseller. The operator's list has more. */
export const orderColumns = [
  'time',
  'order_id',
  'reference',
  'product',
  'network',
  'variety',
  'recipient',
  'price',
  'unit',
  'status',
] as const
type OperatorColumn = (typeof orderColumns)[number] | 'account' | 'supplier' | 'cost' | 'cost_is_estimate'

const operatorColumns: readonly OperatorColumn[] = [
  ...orderColumns.slice(0, 3),
  'account',
  ...orderColumns.slice(3),
  'supplier',
  'cost',
  'cost_is_estimate',
]

export function cellsOfOrder(order: ListedOrder): CsvRow<OperatorColumn> {
  const { costPesewas } = order
  return {
    time: order.createdAt,
    order_id: order.id,
    reference: order.reference,
    product: order.kind,
    network: order.network,
    variety: order.variety,
    recipient: order.recipient,
    price: order.price,
    unit: viewAmount(order.price).unit,
    status: order.status,
    account: order.account ?? order.accountId,
    supplier: order.supplier,
    cost: costPesewas === null ? null : { unit: 'pesewas', amount: costPesewas },
    cost_is_estimate: costPesewas === null ? null : order.isCostEstimated,
  }
}

/** The number of orders in one read, so that a long list does not fill the memory. */
const pieceOrders = 1_000

/**
 * Writes all orders that fit a query as CSV, a piece at a time, for the operator.
 * @param most the maximum number of orders
 */
export async function* writeOrderList(
  db: Db,
  products: readonly SoldBy[],
  query: Omit<OrderQuery, 'limit'>,
  most = Infinity,
): AsyncGenerator<{ readonly text: string; readonly written: number }> {
  const columns = operatorColumns
  yield { text: writeCsvHead(columns), written: 0 }
  let written = 0
  let after: string | null | undefined = query.after
  while (after !== null && written < most) {
    const limit = Math.min(pieceOrders, most - written)
    const page = await listOrders(db, products, { ...query, ...(after !== undefined && { after }), limit })
    written += page.orders.length
    yield { text: writeCsvRows({ columns, rows: page.orders.map(cellsOfOrder) }), written }
    after = page.next
  }
}

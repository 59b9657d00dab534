import { viewAmount } from '../../money/amount.ts'
import type { Db } from '../../platform/database/database.ts'
import { writeCsvHead, writeCsvRows } from '../../platform/write-csv.ts'
import type { OrderStatus } from '../order-life-cycle.ts'
import type { ProductFacts } from '../product-facts.ts'
import { type ListedOrder, listOrders, type OrderPage } from '../queries/list-orders.ts'
import type { OrderQuery, RecipientForms } from '../queries/order-filters.ts'
import { cellsOfOrder, orderColumns as columns } from '../queries/write-order-list.ts'
import { findAccountOrders } from './find-account-orders.ts'
import { stateTitles } from './state-titles.ts'
import { slowOrders, waitOf } from './waits.ts'

/** How many orders are read at a time, so that memory never holds all of a long list. */
const pieceOrders = 500

/** Writes all orders that fit the filters as CSV, a piece at a time, newest first, with the titles that the screens show. */
export async function* writeOrdersCsv(
  deps: AccountOrderDeps,
  accountId: string,
  filters: AccountOrderFilters,
): AsyncGenerator<string> {
  const query = await readAccountQuery(deps, accountId, filters)
  const productTitles = new Map(deps.products.map(({ name, shortTitle }) => [name, shortTitle]))
  const cellsOf = (order: ListedOrder) => ({
    ...cellsOfOrder(order),
    product: productTitles.get(order.kind) ?? order.kind,
    status: stateTitles[order.status],
  })
  yield writeCsvHead(columns)
  let after: string | null | undefined
  while (after !== null) {
    const page = await listOrders(deps.db, deps.products, { ...query, ...(after !== undefined && { after }), limit: pieceOrders })
    yield writeCsvRows({ columns, rows: page.orders.map(cellsOf) })
    after = page.next
  }
}

export type AccountOrderDeps = {
  readonly db: Db
  readonly products: readonly ProductFacts[]
  readonly formsOfRecipient: (text: string) => Promise<RecipientForms>
}

/** The filters as in the address of a page. Days are days in Accra. */
export type AccountOrderFilters = {
  readonly product?: string
  readonly network?: string
  readonly status?: OrderStatus
  readonly from?: string
  readonly to?: string
  readonly search?: string
  /** The id of the member who placed it. */
  readonly person?: string
  /** `yes`: only orders that take long. */
  readonly slow?: 'yes'
}

const dayMilliseconds = 24 * 3_600_000

/** The meaning of a search text: orders by their reference or id, or else orders by their recipient. */
async function readSearch(deps: AccountOrderDeps, accountId: string, search: string | undefined): Promise<Partial<OrderQuery>> {
  const name = search?.trim() ?? ''
  if (name === '') return {}
  const ids = await findAccountOrders(deps.db, deps.products, { accountId, name })
  return ids.length > 0 ? { ids } : deps.formsOfRecipient(name)
}

async function readAccountQuery(
  deps: AccountOrderDeps,
  accountId: string,
  { product, network, status, from, to, search, person, slow }: AccountOrderFilters,
): Promise<Omit<OrderQuery, 'limit'>> {
  // Accra's time is UTC. The period ends with the last millisecond of the day `to`.
  const begin = from === undefined ? undefined : Date.parse(from)
  const end = to === undefined ? undefined : Date.parse(to) + dayMilliseconds - 1
  const isSlow = slowOrders(deps.products, new Date())
  return {
    accountId,
    ...(product !== undefined && { product }),
    ...(network !== undefined && { network }),
    ...(status !== undefined && { status }),
    ...(person !== undefined && { person }),
    ...(begin !== undefined && { from: new Date(begin) }),
    ...(end !== undefined && { to: new Date(end) }),
    ...(slow && {
      openOf: isSlow.kinds,
      from: new Date(Math.max(begin ?? 0, isSlow.from.getTime())),
      to: new Date(Math.min(end ?? Infinity, isSlow.to.getTime())),
    }),
    ...(await readSearch(deps, accountId, search)),
  }
}

type MemberOrder = Pick<
  ListedOrder,
  'id' | 'reference' | 'kind' | 'network' | 'variety' | 'recipient' | 'price' | 'status' | 'route' | 'holdReason' | 'createdAt'
>

export function orderLineOf(order: MemberOrder) {
  const { amount: price, unit } = viewAmount(order.price)
  return { ...order, orderId: order.id, product: order.kind, price, unit, waitsFor: waitOf(order) }
}

/** Lists an account's orders that fit the filters, newest first, a page at a time. */
export async function listAccountOrders(
  deps: AccountOrderDeps,
  accountId: string,
  {
    filters,
    after,
    limit,
  }: { readonly filters: AccountOrderFilters; readonly after?: string | undefined; readonly limit: number },
): Promise<OrderPage> {
  const query = await readAccountQuery(deps, accountId, filters)
  return listOrders(deps.db, deps.products, { ...query, limit, ...(after !== undefined && { after }) })
}

import { amountOf } from '../order.ts'
import { isEnded } from '../order-life-cycle.ts'
import { findOrderReport } from '../order-reports/order-report.ts'
import { isReportable } from '../order-reports/report-order.ts'
import { findAccountName } from '../queries/find-order.ts'
import { type OrderHistory, readHistoryOf } from '../queries/read-order-history.ts'
import { findAccountOrders } from './find-account-orders.ts'
import { type AccountOrderDeps, orderLineOf } from './list-account-orders.ts'
import { listSteps } from './list-steps.ts'

/** The median time to delivery of a product on a network, in minutes; null when too little was delivered lately. */
export type ReadUsualWait = (market: { readonly product: string; readonly network: string }) => Promise<number | null>

export type AccountOrderReadDeps = AccountOrderDeps & {
  readonly readUsualWait: ReadUsualWait
  readonly readPersonName: (personId: string) => Promise<string | null>
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

function lineOf({ products }: AccountOrderDeps, { order, open }: OrderHistory) {
  const { network, biller, size, typeName } = order.details
  return orderLineOf({
    ...order,
    network: textOf(network ?? biller),
    variety: textOf(size ?? typeName),
    price: amountOf(products, order),
    route: open?.route ?? null,
    holdReason: open?.holdReason ?? null,
  })
}

/** The name of the person who placed an order in the dashboard; null for an order of a program. */
async function readBuyer({ db, readPersonName }: AccountOrderReadDeps, orderId: string): Promise<string | null> {
  const placed = db.selectFrom('orders_of_persons').select('person_id').where('order_id', '=', orderId)
  const buyer = await placed.executeTakeFirst()
  return buyer ? readPersonName(buyer.person_id) : null
}

async function readCommission({ db }: AccountOrderDeps, orderId: string): Promise<number | null> {
  const earned = await db.selectFrom('order_commissions').select('caller').where('order_id', '=', orderId).executeTakeFirst()
  return earned?.caller ?? null
}

/**
 * Reads everything that the owner may see of an order, by its reference or id. Where one reference names orders of several
 * products, it gives the newest.
 *
 * @returns undefined when the account has no such order
 */
export async function readAccountOrder(
  deps: AccountOrderReadDeps,
  wanted: { readonly accountId: string; readonly name: string },
) {
  const { db, products } = deps
  const newest = (await findAccountOrders(db, products, wanted)).toSorted().at(-1)
  const history = newest === undefined ? undefined : await readHistoryOf(db, newest)
  if (!history) return undefined
  const { order, events } = history
  const line = lineOf(deps, history)
  const [report, holder, boughtBy, commissionPesewas, usualMinutes] = await Promise.all([
    findOrderReport(db, order.id),
    findAccountName(db, order.id),
    readBuyer(deps, order.id),
    readCommission(deps, order.id),
    deps.readUsualWait({ product: order.kind, network: line.network ?? '' }),
  ])
  const end = isEnded(order.status) ? (events.at(-1)?.at ?? order.createdAt) : null
  return {
    order: line,
    holder: holder ?? null,
    source: order.source,
    boughtBy,
    endedAt: end,
    commissionPesewas,
    steps: listSteps(history, report),
    usualMinutes,
    mayReport: report === undefined && isReportable(products, order),
    report: report ?? null,
  }
}

import { sql } from 'kysely'
import { findCall, listCalls } from '../../accounts/request-log/list-calls.ts'
import { viewAmount } from '../../money/amount.ts'
import { ghs, pesewas } from '../../money/pesewas.ts'
import { isSamePerson } from '../../platform/approvals/two-people.ts'
import type { Db } from '../../platform/database/database.ts'
import { outcomesOf } from '../manual/settle-by-people.ts'
import type { Order } from '../order.ts'
import { isEnded, isManualMove } from '../order-life-cycle.ts'
import { findOrderReport } from '../order-reports/order-report.ts'
import { type ProductFacts, productOf } from '../product-facts.ts'
import { findAccountName } from '../queries/find-order.ts'
import { findOrderIds } from '../queries/find-order-ids.ts'
import { type ListedOrder, listOrders } from '../queries/list-orders.ts'
import { describePutAway, type OrderHistory, readHistoryOf } from '../queries/read-order-history.ts'
import { isManualRoute, isOwnLoopRoute } from '../routes-without-suppliers.ts'
import { findWaitReason } from './find-wait-reason.ts'
import { listDeskSteps } from './list-desk-steps.ts'
import type { DeskOrderDeps } from './read-desk-query.ts'

export function deskOrderOf(products: readonly ProductFacts[], order: ListedOrder) {
  const { amount: price, unit } = viewAmount(order.price)
  return {
    ...order,
    orderId: order.id,
    account: order.account ?? order.accountId,
    accountName: order.accountName ?? order.accountId,
    product: order.kind,
    title: productOf(products, order.kind).title,
    price,
    unit,
    costIsEstimate: order.isCostEstimated,
    why: findWaitReason(order) ?? null,
  }
}

const callsRead = 50
const callsShown = 5

/** Reads the latest calls of the reseller's program about an order, newest first, and the body of the call that placed it. */
export async function readOrderCalls(db: Db, { id, accountId, reference }: Order) {
  const [{ calls }, placed] = await Promise.all([
    listCalls(db, { accountId, reference, limit: callsRead }),
    listCalls(db, { accountId, reference, placedOrderId: id, limit: 1 }),
  ])
  const own = calls.filter(({ orderId, status }) => orderId === id || (orderId === null && status < 400))
  const [placing] = placed.calls
  const inFull = placing && (await findCall(db, accountId, placing.callId))
  return {
    request: inFull ? JSON.stringify(inFull.request?.body ?? null, null, 2) : null,
    calls: own.slice(0, callsShown).map((call) => ({ ...call, id: call.callId, at: call.calledAt })),
  }
}

/** The actions that are possible for an order in its present state. The person may lack the permission for some. */
function movesOf(product: ProductFacts, { order, open }: OrderHistory) {
  const { status } = order
  const route = open?.route
  const isMoney = product.unit === 'pesewas'
  return {
    ask: route !== undefined && !isManualRoute(route) && !isOwnLoopRoute(route),
    settle: route === undefined ? [] : outcomesOf(order, route),
    refund: status === 'failed' && isMoney,
    takeBack: isManualMove(product, status, 'refunded'),
    adjust: isEnded(status) && status !== 'failed' && isMoney,
  }
}

/** Lists the entries that the order itself caused in its owner's wallets, with the balance before and after each. */
async function listEntries(db: Db, orderId: string) {
  const { rows } = await sql<{ at: Date; kind: string; purse: string; change: number; after: number }>`
    select created_at as at, kind, from_purse as purse, -amount as change, from_balance_after as after
    from transfers where cause_id = ${orderId} and from_balance_after is not null
    union all
    select created_at, kind, to_purse, amount, to_balance_after
    from transfers where cause_id = ${orderId} and to_balance_after is not null
    order by at`.execute(db)
  return rows.map(({ at, kind, purse, change, after }) => {
    const view = (amount: number) => (purse === 'sms_credits' ? amount : ghs(pesewas(amount)))
    const unit = purse === 'sms_credits' ? ('credits' as const) : ('GHS' as const)
    return { at, kind, purse, unit, change: view(change), before: view(after - change), after: view(after) }
  })
}

/** Reads the order's commission: what its supplier pays us, and the reseller's part of it. */
async function readEarnings(db: Db, orderId: string) {
  const row = await db
    .selectFrom('order_commissions')
    .select(['base', 'caller'])
    .where('order_id', '=', orderId)
    .executeTakeFirst()
  return { earned: row?.base ?? 0, paid: row?.caller ?? 0 }
}

/** Lists the messages about the order, sent or not: notices to its owner, and courtesy messages. */
async function listMessages(db: Db, { id, accountId, createdAt }: Order) {
  const { rows } = await sql<{ at: Date; kind: string; channel: string; state: string; reason: string | null }>`
    select created_at as at, kind, channel, state, reason from reseller_notices
    where account_id = ${accountId} and created_at >= ${createdAt} and about = ${id}
    union all
    select created_at, 'courtesy', channel, state, reason from courtesy_notices where order_id = ${id}
    order by at`.execute(db)
  return rows
}

/** Shows only texts, numbers and booleans. Objects and lists in the details are for programs. */
function viewDetails(details: Order['details']) {
  return Object.entries(details).flatMap(([name, value]) =>
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? [{ name, value: String(value) }] : [],
  )
}

/**
 * Reads everything that the operator may see of an order, by any of its references or ids. Where one reference names
 * several orders, it gives the newest.
 *
 * @param person the reader, to tell which proposals are their own
 * @returns undefined when there is no such order
 */
export async function readDeskOrder(deps: DeskOrderDeps, name: string, person: string) {
  const { db, products } = deps
  const newest = (await findOrderIds(db, products, name)).toSorted().at(-1)
  const history = newest === undefined ? undefined : await readHistoryOf(db, newest)
  if (!history) return undefined
  const { order, events, putAway } = history
  const product = productOf(products, order.kind)
  const [page, entries, earnings, messages, holder, report] = await Promise.all([
    listOrders(db, products, { ids: [order.id], limit: 1 }),
    listEntries(db, order.id),
    readEarnings(db, order.id),
    listMessages(db, order),
    findAccountName(db, order.id),
    findOrderReport(db, order.id),
  ])
  const [line] = page.orders
  if (!line) return undefined
  const { costPesewas: cost } = line
  const isSold = line.price.unit === 'pesewas' && order.status === 'completed' && cost !== null
  const marginPesewas = isSold ? order.price - cost + earnings.earned - earnings.paid : null
  return {
    order: deskOrderOf(products, line),
    holder: holder ?? null,
    source: order.source,
    details: viewDetails(order.details),
    endedAt: isEnded(order.status) ? (events.at(-1)?.at ?? order.updatedAt) : null,
    putAway: putAway ? describePutAway(putAway) : null,
    commissionEarnedPesewas: earnings.earned,
    commissionPaidPesewas: earnings.paid,
    marginPesewas,
    entries,
    steps: listDeskSteps(history),
    messages,
    proposals: history.proposals.map((proposal) => ({ ...proposal, isOwn: isSamePerson(proposal.proposedBy, person) })),
    report: report ?? null,
    can: movesOf(product, history),
  }
}

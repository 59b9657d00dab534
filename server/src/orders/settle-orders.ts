import { sql } from 'kysely'
import { lockWallets, type WalletKey } from '../money/wallets.ts'
import type { Tx } from '../platform/database/database.ts'
import type { Attempt } from './attempt.ts'
import { creditCommissions, mayEarnCommission } from './credit-commissions.ts'
import { registrationLookAgainSeconds } from './decide-claimed-step.ts'
import type { Decision, NextStep } from './decide-next-step.ts'
import { moveOrders, type OrderMove } from './move-orders.ts'
import type { Order } from './order.ts'
import { recordAnswers, type SpokenAnswer } from './record-answers.ts'
import { recordContradictions } from './record-contradictions.ts'
import { refundOrders } from './refund-orders.ts'
import { type OrderRelease, releaseOrders } from './release-orders.ts'

/** An answer, what was decided on it, and under which lease. */
export type Settlement = {
  readonly order: Order
  readonly attempt: Attempt
  readonly leaseNo: number
  readonly spoken: SpokenAnswer
  readonly decision: Decision
  /** Whether the order, should it fail now, is refunded in the same transaction. */
  readonly refunds: boolean
  readonly actor: string
}

/** What became of a batch; `late` are answers whose lease was lost: recorded, but not acted on. */
export type SettledBatch = { readonly settled: readonly Settlement[]; readonly late: readonly Settlement[] }

/** Locks the open orders, in one order for everybody, and tells which are still ours. */
async function lockLeased(tx: Tx, settlements: readonly Settlement[]): Promise<Set<string>> {
  const { rows } = await sql<{ order_id: string }>`
    select open_orders.order_id
    from open_orders
    join unnest(
      ${settlements.map(({ order }) => order.id)}::uuid[],
      ${settlements.map(({ leaseNo }) => leaseNo)}::bigint[]) as held (order_id, lease_no)
      on held.order_id = open_orders.order_id and held.lease_no = open_orders.lease_no
    order by open_orders.order_id
    for update of open_orders`.execute(tx)
  return new Set(rows.map((row) => row.order_id))
}

async function closeOrders(tx: Tx, orderIds: readonly string[]): Promise<void> {
  if (orderIds.length === 0) return
  await sql`delete from open_orders where order_id = any(${orderIds}::uuid[])`.execute(tx)
}

function movesOf(settlements: readonly Settlement[]): OrderMove[] {
  return settlements.map(({ order, decision }) => ({ orderId: order.id, reason: decision.outcome }))
}

async function endOrders(tx: Tx, ending: readonly Settlement[], to: 'completed' | 'failed'): Promise<void> {
  for (const [actor, group] of Map.groupBy(ending, (settlement) => settlement.actor)) {
    const moved = await moveOrders(tx, 'processing', to, actor, movesOf(group))
    if (moved.length !== group.length) throw new Error('an open order was not in processing when its answer came')
    if (to === 'failed') {
      const refunds = group.filter((settlement) => settlement.refunds)
      await refundOrders(
        tx,
        refunds.map(({ order }) => ({ orderId: order.id, accountId: order.accountId, pricePesewas: order.pricePesewas })),
        actor,
      )
    } else {
      await creditCommissions(
        tx,
        group.map(({ order }) => order),
      )
    }
  }
  await closeOrders(
    tx,
    ending.map(({ order }) => order.id),
  )
}

function releaseOf(orderId: string, step: NextStep): OrderRelease | undefined {
  switch (step.do) {
    case 'complete':
    case 'fail':
      return undefined
    case 'ask_again':
      return { orderId, afterSeconds: step.afterSeconds, holdReason: step.holdReason, isAttemptOver: false }
    case 'send_again':
      return { orderId, afterSeconds: step.afterSeconds, holdReason: step.holdReason, isAttemptOver: true }
    case 'send_elsewhere':
      return { orderId, afterSeconds: 0, holdReason: null, isAttemptOver: true, route: step.route }
    case 'hold_for_registration':
      return { orderId, afterSeconds: registrationLookAgainSeconds, holdReason: 'not_registered', isAttemptOver: true }
  }
  return step satisfies never
}

/** The wallets that money goes to when these orders end. */
function walletsOf(settlements: readonly Settlement[]): WalletKey[] {
  return settlements.flatMap(({ order, decision, refunds }): WalletKey[] => {
    const { accountId } = order
    if (decision.step.do === 'fail' && refunds) return [{ accountId, purse: 'main' }]
    if (decision.step.do === 'complete' && mayEarnCommission(order)) return [{ accountId, purse: 'commission' }]
    return []
  })
}

/**
 * Commits what suppliers answered: the answers as evidence, where each attempt stands, and the order's
 * end (with its refund or commission) or next step, in this one transaction. Only orders whose lease is still ours
 * change, so that however many settlers race, one of them acts.
 *
 * Locks wallets, then open orders, then orders, as everybody does.
 */
export async function settleOrders(tx: Tx, settlements: readonly Settlement[]): Promise<SettledBatch> {
  const wallets = walletsOf(settlements)
  if (wallets.length > 0) await lockWallets(tx, wallets)
  const leased = await lockLeased(tx, settlements)
  const settled = settlements.filter(({ order }) => leased.has(order.id))
  const late = settlements.filter(({ order }) => !leased.has(order.id))
  await recordAnswers(tx, settled, late)
  const ended = (to: NextStep['do']) => settled.filter(({ decision }) => decision.step.do === to)
  await endOrders(tx, ended('complete'), 'completed')
  await endOrders(tx, ended('fail'), 'failed')
  await moveOrders(tx, 'processing', 'queued', 'worker', movesOf(ended('hold_for_registration')))
  await releaseOrders(
    tx,
    settled.flatMap(({ order, decision }) => releaseOf(order.id, decision.step) ?? []),
  )
  if (late.length > 0) await recordContradictions(tx, late)
  return { settled, late }
}

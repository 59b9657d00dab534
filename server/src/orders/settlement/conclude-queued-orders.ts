import { sql } from 'kysely'
import { lockWallets } from '../../money/wallets.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { SoldBy } from '../order.ts'
import type { QueuedOrder } from '../schedule/claim-queued-orders.ts'
import { lockLeasedOrders } from '../schedule/leases.ts'
import { releaseOrders } from '../schedule/release-orders.ts'
import { moveOrders } from './move-orders.ts'
import { lockStock, refundOrders } from './refund-orders.ts'
import { refundOf } from './return-money.ts'

/** The next state of a waiting order. `reason` is written into its history; with `isRefunded` the money goes back at once. */
export type QueuedDecision =
  | { readonly do: 'release'; readonly reason: string }
  | { readonly do: 'wait'; readonly afterSeconds: number }
  | { readonly do: 'fail'; readonly reason: string; readonly isRefunded: boolean }

export type QueuedConclusion = { readonly queued: QueuedOrder; readonly decision: QueuedDecision }

const actor = 'worker'

type Concluded<Do extends QueuedDecision['do']> = { queued: QueuedOrder; decision: Extract<QueuedDecision, { do: Do }> }

function pick<Do extends QueuedDecision['do']>(conclusions: readonly QueuedConclusion[], wanted: Do): Concluded<Do>[] {
  return conclusions.filter((conclusion): conclusion is Concluded<Do> => conclusion.decision.do === wanted)
}

async function failOrders(tx: Tx, soldBy: SoldBy, failing: readonly Concluded<'fail'>[]): Promise<void> {
  if (failing.length === 0) return
  const failed = new Set<string>()
  for (const [status, group] of Map.groupBy(failing, ({ queued }) => queued.order.status)) {
    const moves = group.map(({ queued, decision }) => ({ orderId: queued.order.id, reason: decision.reason }))
    for (const orderId of await moveOrders(tx, status, 'failed', actor, moves)) failed.add(orderId)
  }
  const refunds = failing
    .filter(({ queued, decision }) => decision.isRefunded && failed.has(queued.order.id))
    .map(({ queued: { order } }) => refundOf(soldBy, order))
  await refundOrders(tx, refunds, actor)
  await sql`delete from open_orders where order_id = any(${[...failed]}::uuid[])`.execute(tx)
}

/**
 * Commits the decisions about orders of one product that waited for the registration of their number: back to the order loop, a
 * later check, or the end, with the refund in the same transaction. Only orders whose lease is still ours change. An order that
 * fails here was never taken by a supplier: it was never sent, or the supplier refused it definitively.
 *
 * Locks wallets, then stock, then open orders, then orders, as everywhere.
 * @returns the conclusions that were carried out
 */
export async function concludeQueuedOrders(
  tx: Tx,
  soldBy: SoldBy,
  conclusions: readonly QueuedConclusion[],
): Promise<QueuedConclusion[]> {
  const refunding = pick(conclusions, 'fail').filter(({ decision }) => decision.isRefunded)
  const wallets = refunding.map(({ queued }) => ({ accountId: queued.order.accountId, purse: 'main' as const }))
  if (wallets.length > 0) await lockWallets(tx, wallets)
  await lockStock(
    tx,
    refunding.map(({ queued }) => queued.order.id),
  )
  const leased = await lockLeasedOrders(
    tx,
    conclusions.map(({ queued }) => ({ orderId: queued.order.id, leaseNo: queued.leaseNo })),
  )
  const ours = conclusions.filter(({ queued }) => leased.has(queued.order.id))
  await failOrders(tx, soldBy, pick(ours, 'fail'))
  const released = pick(ours, 'release')
  // An order that was sent before is `processing` and stays so: no status goes back (decision S14).
  const unsent = released.filter(({ queued }) => queued.order.status === 'queued')
  await moveOrders(
    tx,
    'queued',
    'pending',
    actor,
    unsent.map(({ queued, decision }) => ({ orderId: queued.order.id, reason: decision.reason })),
  )
  await releaseOrders(tx, [
    ...released.map(({ queued }) => ({
      orderId: queued.order.id,
      leaseNo: queued.leaseNo,
      afterSeconds: 0,
      holdReason: null,
      isAttemptOver: true,
    })),
    ...pick(ours, 'wait').map(({ queued, decision }) => ({
      orderId: queued.order.id,
      leaseNo: queued.leaseNo,
      afterSeconds: decision.afterSeconds,
      holdReason: 'not_registered' as const,
      isAttemptOver: true,
    })),
  ])
  return ours
}

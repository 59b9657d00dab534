import { sql } from 'kysely'
import type { Pesewas } from '../../money/pesewas.ts'
import type { Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/new-id.ts'
import { rowsOf } from '../../platform/database/rows-of.ts'
import type { Attempt } from '../attempt.ts'
import type { ClaimedOrder } from '../schedule/claim-open-orders.ts'
import { moveOrders } from '../settlement/move-orders.ts'
import { outgoingReference } from './outgoing-reference.ts'

/** A send must begin within this time after the attempt was committed, or it is not made at all. */
export const sendWindowSeconds = 10

/** What each order should cost at the supplier, by order id. */
export type ExpectedCosts = ReadonlyMap<string, Pesewas | null>

function newAttempt(claimed: ClaimedOrder, supplier: string, costs: ExpectedCosts): Omit<Attempt, 'sendBeforeAt' | 'createdAt'> {
  return {
    id: newId(),
    orderId: claimed.order.id,
    attemptNo: claimed.attemptCount + 1,
    supplier,
    outgoingReference: outgoingReference(claimed.order.id, supplier, (claimed.triedSuppliers.get(supplier) ?? 0) + 1),
    expectedCostPesewas: costs.get(claimed.order.id) ?? null,
    supplierReference: null,
    outcome: null,
    asks: 0,
    provenAbsences: 0,
    unfulfilledSince: null,
    callbackVerdicts: [],
  }
}

/**
 * Records, before anything is sent, that each order is about to be sent to `supplier`: the attempt with
 * our reference, its `send_before` and the cost that is expected now, and the order's move to `processing`. Once this is committed, the
 * order is only ever asked about until an answer is.
 *
 * @returns the attempts in the order of `claims`
 */
export async function beginAttempts(
  tx: Tx,
  supplier: string,
  claims: readonly ClaimedOrder[],
  costs: ExpectedCosts,
): Promise<Attempt[]> {
  if (claims.length === 0) return []
  const attempts = claims.map((claimed) => newAttempt(claimed, supplier, costs))
  const { rows } = await sql<{ id: string; send_before: Date; created_at: Date }>`
    insert into attempts (id, order_id, attempt_no, supplier, outgoing_reference, expected_cost, send_before)
    select id, order_id, attempt_no, ${supplier}, outgoing_reference, expected_cost,
      clock_timestamp() + make_interval(secs => ${sendWindowSeconds})
    from ${rowsOf(attempts, {
      id: ['uuid', (attempt) => attempt.id],
      order_id: ['uuid', (attempt) => attempt.orderId],
      attempt_no: ['integer', (attempt) => attempt.attemptNo],
      outgoing_reference: ['text', (attempt) => attempt.outgoingReference],
      expected_cost: ['bigint', (attempt) => attempt.expectedCostPesewas],
    }).as('new')}
    returning id, send_before, created_at`.execute(tx)
  const pending = claims.filter(({ order }) => order.status === 'pending').map(({ order }) => order.id)
  const moved = await moveOrders(
    tx,
    'pending',
    'processing',
    'worker',
    pending.map((orderId) => ({ orderId, reason: null })),
  )
  if (moved.length !== pending.length) throw new Error('an order moved without the lease on it')
  const times = new Map(rows.map((row) => [row.id, row]))
  return attempts.map((attempt) => {
    const time = times.get(attempt.id)
    if (!time) throw new Error(`attempt ${attempt.id} was not recorded`)
    return { ...attempt, sendBeforeAt: time.send_before, createdAt: time.created_at }
  })
}

/**
 * Counts a question about each attempt before it is asked. A question that is asked by sending the same
 * reference again may itself take effect, so the attempt's `send_before` moves with it.
 *
 * @returns the attempts as they are now, in the order given
 */
export async function beginQuestions(tx: Tx, attempts: readonly Attempt[], by: 'status' | 'resend'): Promise<Attempt[]> {
  if (attempts.length === 0) return []
  const isResend = by === 'resend'
  const { rows } = await sql<{ id: string; asks: number; send_before: Date }>`
    update attempts
    set asks = asks + 1,
      send_before = case when ${isResend}::boolean then clock_timestamp() + make_interval(secs => ${sendWindowSeconds})
        else send_before end
    where id = any(${attempts.map((attempt) => attempt.id)}::uuid[])
    returning id, asks, send_before`.execute(tx)
  const begun = new Map(rows.map((row) => [row.id, row]))
  return attempts.map((attempt) => {
    const row = begun.get(attempt.id)
    if (!row) throw new Error(`attempt ${attempt.id} is gone`)
    return { ...attempt, asks: row.asks, sendBeforeAt: row.send_before }
  })
}

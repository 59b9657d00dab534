import { sql } from 'kysely'
import type { Pesewas } from '../../money/pesewas.ts'
import type { Db } from '../../platform/database/database.ts'
import { rowsOf } from '../../platform/database/rows-of.ts'
import type { Attempt } from '../attempt.ts'
import { outgoingReference } from '../outgoing-reference.ts'
import { type ClaimedOrder, leaseSeconds } from '../schedule/claim-open-orders.ts'

/** A send must begin within this time after the attempt was committed, or it is not made at all. */
export const sendWindowSeconds = 10

/** The expected cost of each order at the supplier, by order id. */
export type ExpectedCosts = ReadonlyMap<string, Pesewas | null>

function newAttempt(claimed: ClaimedOrder, supplier: string, costs: ExpectedCosts): Omit<Attempt, 'sendBeforeAt' | 'createdAt'> {
  return {
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
    callbackAnswers: [],
  }
}

type BegunRow = { readonly clock: Date; readonly begun: string[] | null }

/**
 * Records that each order is about to be sent to `supplier` (function `begin_attempts`): the attempt with our reference,
 * its `send_before`, its expected cost, and the order's move to `processing`. After this commit the order is only asked
 * about, until an answer is committed.
 *
 * @returns the attempts by order id; an order whose lease was lost has none, and must not be sent
 */
export async function beginAttempts(
  db: Db,
  supplier: string,
  claims: readonly ClaimedOrder[],
  costs: ExpectedCosts,
): Promise<Map<string, Attempt>> {
  // In the order of the orders' ids, so that each index is written at its end.
  const inOrder = claims.toSorted((a, b) => (a.order.id < b.order.id ? -1 : 1))
  const beginnings = inOrder.map((claimed) => ({ claimed, attempt: newAttempt(claimed, supplier, costs) }))
  const columns = rowsOf(beginnings, {
    order_ids: ['uuid', ({ attempt }) => attempt.orderId],
    lease_nos: ['bigint', ({ claimed }) => claimed.leaseNo],
    attempt_nos: ['integer', ({ attempt }) => attempt.attemptNo],
    outgoing_references: ['text', ({ attempt }) => attempt.outgoingReference],
    expected_costs: ['bigint', ({ attempt }) => attempt.expectedCostPesewas],
  })
  const { rows } = await sql<BegunRow>`
    select * from begin_attempts(
      supplier => ${supplier}, ${columns.asArguments()},
      send_seconds => ${sendWindowSeconds}, lease_seconds => ${leaseSeconds})`.execute(db)
  const [row] = rows
  if (!row) throw new Error('the database did not begin the attempts')
  const { clock } = row
  const sendBeforeAt = new Date(clock.getTime() + sendWindowSeconds * 1_000)
  const begun = new Set(row.begun)
  return new Map(
    beginnings
      .filter(({ attempt }) => begun.has(attempt.orderId))
      .map(({ attempt }) => [attempt.orderId, { ...attempt, sendBeforeAt, createdAt: clock }]),
  )
}

/**
 * Counts a look-up about each attempt. A look-up changes nothing at the supplier, so its count is written together with
 * its answer (`settle_attempts`).
 */
export function beginLookUps(attempts: readonly Attempt[]): Attempt[] {
  return attempts.map((attempt) => ({ ...attempt, asks: attempt.asks + 1 }))
}

/** An order whose attempt is asked about by sending its reference again. */
export type Resend = { readonly claimed: ClaimedOrder; readonly attempt: Attempt }

/**
 * Counts a re-send of each attempt before it is sent, and moves the attempt's `send_before`, because a re-send may itself take
 * effect. A re-send must begin within the send window after the claim: otherwise its call could last longer than the lease. The
 * lease keeps its end, because `release_orders` uses it to see whether a callback came since the claim.
 *
 * @returns the attempts as they are now; an order whose lease was lost or is too old has none, and must not be sent
 */
export async function beginResends(db: Db, resends: readonly Resend[]): Promise<Attempt[]> {
  if (resends.length === 0) return []
  const { rows } = await sql<{ order_id: string; asks: number; send_before: Date }>`
    with held as materialized (
      select open_orders.order_id, open_orders.attempt_no
      from open_orders
      join ${rowsOf(resends, {
        order_id: ['uuid', ({ claimed }) => claimed.order.id],
        lease_no: ['bigint', ({ claimed }) => claimed.leaseNo],
        attempt_no: ['integer', ({ attempt }) => attempt.attemptNo],
      }).as('resend')}
        on resend.order_id = open_orders.order_id and resend.lease_no = open_orders.lease_no
        and resend.attempt_no = open_orders.attempt_no
      where open_orders.lease_until > clock_timestamp() + make_interval(secs => ${leaseSeconds - sendWindowSeconds})
      order by open_orders.order_id
      for update of open_orders
    )
    update attempts
    set asks = attempts.asks + 1, send_before = clock_timestamp() + make_interval(secs => ${sendWindowSeconds})
    from held where attempts.order_id = held.order_id and attempts.attempt_no = held.attempt_no
    returning attempts.order_id, attempts.asks, attempts.send_before`.execute(db)
  const begun = new Map(rows.map((row) => [row.order_id, row]))
  return resends.flatMap(({ attempt }) => {
    const row = begun.get(attempt.orderId)
    return row ? { ...attempt, asks: row.asks, sendBeforeAt: row.send_before } : []
  })
}

import { sql } from 'kysely'
import type { Tx } from '../../platform/database/database.ts'
import { rowsOf } from '../../platform/database/rows-of.ts'
import type { OrderStatus } from '../order-life-cycle.ts'
import { outgoingReference } from '../outgoing-reference.ts'
import { packEvidence } from '../packed-evidence.ts'
import { moveOrders } from '../settlement/move-orders.ts'

/** An order that is to be sent, and the supplier that may have it already. */
export type Unsent = {
  readonly orderId: string
  readonly leaseNo: number
  readonly supplier: string
  readonly status: OrderStatus
  /** The number of attempts at this supplier, and the number of the order's last attempt at any supplier. */
  readonly supplierAttempts: number
  readonly lastAttemptNo: number
}

const reason = 'history went back: asked before it may be sent'

/**
 * Begins attempts that are never sent: the suppliers are only asked about the references that the orders would be sent with. An
 * answer of the source `person` marks such an attempt (`isOnlyAsked`). An order whose lease was lost is skipped.
 * @returns the number of orders
 */
export async function beginQuestions(tx: Tx, unsent: readonly Unsent[], actor: string): Promise<number> {
  if (unsent.length === 0) return 0
  const inOrder = unsent.toSorted((a, b) => (a.orderId < b.orderId ? -1 : 1))
  const { rows: held } = await sql<{ order_id: string }>`
    select open_orders.order_id from open_orders
    join ${rowsOf(inOrder, { order_id: ['uuid', ({ orderId }) => orderId], lease_no: ['bigint', ({ leaseNo }) => leaseNo] }).as('lease')}
      on lease.order_id = open_orders.order_id and lease.lease_no = open_orders.lease_no
    where open_orders.attempt_no is null
    order by open_orders.order_id for update of open_orders`.execute(tx)
  const leasedIds = new Set(held.map(({ order_id: id }) => id))
  const asked = inOrder.filter(({ orderId }) => leasedIds.has(orderId))
  if (asked.length === 0) return 0
  const movesOf = (status: OrderStatus) =>
    asked.filter((order) => order.status === status).map(({ orderId }) => ({ orderId, reason }))
  await moveOrders(tx, 'queued', 'pending', actor, movesOf('queued'))
  await moveOrders(tx, 'pending', 'processing', actor, [...movesOf('queued'), ...movesOf('pending')])
  await sql`
    with asked as (
      insert into attempts (order_id, attempt_no, supplier, outgoing_reference, send_before, created_at)
      select order_id, attempt_no, supplier, outgoing_reference, now(), now()
      from ${rowsOf(asked, {
        order_id: ['uuid', ({ orderId }) => orderId],
        attempt_no: ['integer', ({ lastAttemptNo }) => lastAttemptNo + 1],
        supplier: ['text', ({ supplier }) => supplier],
        outgoing_reference: [
          'text',
          ({ orderId, supplier, supplierAttempts }) => outgoingReference(orderId, supplier, supplierAttempts + 1),
        ],
      }).as('unsent')}
      returning order_id, attempt_no
    ), marked as (
      insert into attempt_answers (order_id, attempt_no, source, answer, evidence)
      select order_id, attempt_no, 'person', 'unknown', ${packEvidence(`${actor}: ${reason}`)}::bytea from asked
    )
    update open_orders
    set attempt_no = asked.attempt_no, is_question = true, next_step_at = now(), hold_reason = null, our_mistake_since = null,
      lease_until = '-infinity', lease_no = open_orders.lease_no + 1
    from asked where open_orders.order_id = asked.order_id`.execute(tx)
  return asked.length
}

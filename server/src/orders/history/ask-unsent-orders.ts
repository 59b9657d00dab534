import { sql } from 'kysely'
import type { Tx } from '../../platform/database/database.ts'
import { rowsOf } from '../../platform/database/rows-of.ts'
import { parseRouteName } from '../../suppliers/route-name.ts'
import { outgoingReference } from '../dispatch/outgoing-reference.ts'
import type { OrderStatus } from '../order-life-cycle.ts'
import { isOwnLoopRoute } from '../own-loop-route.ts'
import { isPeoplesRoute } from '../peoples-route.ts'
import { moveOrders } from '../settlement/move-orders.ts'

type UnsentRow = {
  orderId: string
  route: string
  status: OrderStatus
  /** The attempts at the supplier of the route, and the number of the last attempt anywhere. */
  supplierAttempts: number
  lastAttemptNo: number
}

const reason = 'history went back: asked before it may be sent'

async function lockUnsent(tx: Tx): Promise<(UnsentRow & { supplier: string })[]> {
  await sql`select from open_orders where attempt_no is null order by order_id for update`.execute(tx)
  const { rows } = await sql<UnsentRow>`
    select open_orders.order_id as "orderId", route, status,
      (select count(*)::integer from attempts where attempts.order_id = orders.id and supplier = split_part(route, '/', 1))
        as "supplierAttempts",
      (select coalesce(max(attempt_no), 0) from attempts where attempts.order_id = orders.id) as "lastAttemptNo"
    from open_orders join orders on orders.id = open_orders.order_id
    where attempt_no is null and status in ('queued', 'pending', 'processing')
    order by open_orders.order_id`.execute(tx)
  return rows.flatMap((row) => {
    const supplier = parseRouteName(row.route)?.supplier
    return supplier === undefined || isOwnLoopRoute(row.route) || isPeoplesRoute(row.route) ? [] : [{ ...row, supplier }]
  })
}

/**
 * Turns every open order that is to be sent into a question to its supplier, under the reference that it would be sent with:
 * what history has lost may have sent it. Its attempt is never sent: an answer of the source `person` marks it (`isOnlyAsked`).
 * @returns the number of orders
 */
export async function askUnsentOrders(tx: Tx, actor: string): Promise<number> {
  const unsent = await lockUnsent(tx)
  if (unsent.length === 0) return 0
  const movesOf = (status: OrderStatus) =>
    unsent.filter((order) => order.status === status).map(({ orderId }) => ({ orderId, reason }))
  await moveOrders(tx, 'queued', 'pending', actor, movesOf('queued'))
  await moveOrders(tx, 'pending', 'processing', actor, [...movesOf('queued'), ...movesOf('pending')])
  await sql`
    with asked as (
      insert into attempts (order_id, attempt_no, supplier, outgoing_reference, send_before, created_at)
      select order_id, attempt_no, supplier, outgoing_reference, now(), now()
      from ${rowsOf(unsent, {
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
      select order_id, attempt_no, 'person', 'unknown', ${`${actor}: ${reason}`}::text from asked
    )
    update open_orders
    set attempt_no = asked.attempt_no, is_question = true, next_step_at = now(), hold_reason = null, our_mistake_since = null,
      lease_until = '-infinity', lease_no = open_orders.lease_no + 1
    from asked where open_orders.order_id = asked.order_id`.execute(tx)
  return unsent.length
}

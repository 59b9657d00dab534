import { sql } from 'kysely'
import type { Tx } from '../../platform/database/database.ts'
import { listOrdersById, type Order } from '../order.ts'
import { leaseSeconds } from './claim-open-orders.ts'

/** An order that waits for its number's registration, claimed by this worker. */
export type QueuedOrder = {
  readonly order: Order
  /** A decision is committed only while the row still has this number. */
  readonly leaseNo: number
  /** Seconds since the order was placed, by the database's clock. */
  readonly ageSeconds: number
  /** Seconds since the order began to wait for the registration. */
  readonly waitedSeconds: number
  /** True when the order was sent before, and a supplier answered that its number is not registered. */
  readonly wasSent: boolean
}

type ClaimRow = { order_id: string; lease_no: number; claimed_at: Date; refused_at: Date | null }

const waitsAndIsDue = sql`
  hold_reason = 'not_registered' and next_step_at <= now() and lease_until <= clock_timestamp() and attempt_no is null`

/** True when there is an order to claim. Ask it before you begin a transaction, because mostly it is false. */
export const isQueuedOrderDue = sql<boolean>`exists (select from open_orders where ${waitsAndIsDue})`

/**
 * Claims due orders that wait for the registration of their number, longest overdue first. The order loop does not claim orders
 * with this hold reason. Orders that another worker is claiming at this moment are skipped.
 */
export async function claimQueuedOrders(tx: Tx, limit: number): Promise<QueuedOrder[]> {
  const { rows } = await sql<ClaimRow>`
    with due as materialized (
      select order_id from open_orders
      where ${waitsAndIsDue}
      order by next_step_at
      limit ${limit}
      for update skip locked
    )
    update open_orders
    set lease_until = clock_timestamp() + make_interval(secs => ${leaseSeconds}), lease_no = lease_no + 1
    from due
    where open_orders.order_id = due.order_id
    returning open_orders.order_id, lease_no, clock_timestamp() as claimed_at,
      (select max(answered_at) from attempts where attempts.order_id = open_orders.order_id) as refused_at`.execute(tx)
  const orders = await listOrdersById(
    tx,
    rows.map((row) => row.order_id),
  )
  return rows.map((row) => {
    const order = orders.get(row.order_id)
    if (!order) throw new Error(`the open order ${row.order_id} has lost its order`)
    const secondsSince = (moment: Date) => (row.claimed_at.getTime() - moment.getTime()) / 1_000
    return {
      order,
      leaseNo: row.lease_no,
      ageSeconds: secondsSince(order.createdAt),
      waitedSeconds: secondsSince(row.refused_at ?? order.createdAt),
      wasSent: row.refused_at !== null,
    }
  })
}

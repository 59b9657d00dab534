import { sql } from 'kysely'
import type { Tx } from '../../platform/database/database.ts'
import { rowsOf } from '../../platform/database/rows-of.ts'

/**
 * Locks open orders, in the same order as everywhere else, and returns those that are still held under the lease they
 * were claimed with.
 */
export async function lockLeasedOrders(
  tx: Tx,
  leases: readonly { readonly orderId: string; readonly leaseNo: number }[],
): Promise<Set<string>> {
  const { rows } = await sql<{ order_id: string }>`
    select open_orders.order_id
    from open_orders
    join ${rowsOf(leases, {
      order_id: ['uuid', ({ orderId }) => orderId],
      lease_no: ['bigint', ({ leaseNo }) => leaseNo],
    }).as('held')}
      on held.order_id = open_orders.order_id and held.lease_no = open_orders.lease_no
    order by open_orders.order_id
    for update of open_orders`.execute(tx)
  return new Set(rows.map((row) => row.order_id))
}

import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { rowsOf } from '../../platform/database/rows-of.ts'

/** A lease on an open order. */
export type HeldLease = { readonly orderId: string; readonly leaseNo: number }

/**
 * Gives back leases whose orders could not be worked on, so that they need not end by themselves. Nothing else changes:
 * an attempt that may have been committed stays, and is asked about. If this fails too, the leases end by themselves.
 */
export async function giveBackLeases(db: Db, leases: readonly HeldLease[]): Promise<void> {
  await sql`
    with held as materialized (
      select open_orders.order_id
      from open_orders
      join ${rowsOf(leases, {
        order_id: ['uuid', ({ orderId }) => orderId],
        lease_no: ['bigint', ({ leaseNo }) => leaseNo],
      }).as('held')}
        on held.order_id = open_orders.order_id and held.lease_no = open_orders.lease_no
      order by open_orders.order_id
      for update of open_orders
    )
    update open_orders set lease_until = '-infinity', lease_no = lease_no + 1
    from held where open_orders.order_id = held.order_id`
    .execute(db)
    .catch(() => undefined)
}

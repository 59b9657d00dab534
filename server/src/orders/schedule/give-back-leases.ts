import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { type HeldLease, selectLeasedOrders } from './lock-leased-orders.ts'

/**
 * Gives back leases whose orders could not be worked on, so that they need not end by themselves. Nothing else changes:
 * an attempt that may have been committed stays, and is asked about. If this fails too, the leases end by themselves.
 */
export async function giveBackLeases(db: Db, leases: readonly HeldLease[]): Promise<void> {
  await sql`
    with held as materialized (${selectLeasedOrders(leases)})
    update open_orders set lease_until = '-infinity', lease_no = lease_no + 1
    from held where open_orders.order_id = held.order_id`
    .execute(db)
    .catch(() => undefined)
}

import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { type HeldLease, selectLeasedOrders } from './lock-leased-orders.ts'

/**
 * Gives back leases of orders that could not be worked on, before they expire. Nothing else changes: an attempt that may
 * have been committed stays, and is asked about. If this fails too, the leases expire.
 */
export async function giveBackLeases(db: Db, leases: readonly HeldLease[]): Promise<void> {
  await sql`
    with held as materialized (${selectLeasedOrders(leases)})
    update open_orders set lease_until = '-infinity', lease_no = lease_no + 1
    from held where open_orders.order_id = held.order_id`
    .execute(db)
    .catch(() => undefined)
}

import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/database.ts'
import { rowsOf } from '../../platform/database/rows-of.ts'

export type LeaseKey = { readonly orderId: string; readonly leaseNo: number }

/** Selects and locks the open orders that these leases still hold, in the order in which all code locks them. */
export function selectLeasedOrders(leases: readonly LeaseKey[]): RawBuilder<{ order_id: string }> {
  return sql<{ order_id: string }>`
    select open_orders.order_id
    from open_orders
    join ${rowsOf(leases, {
      order_id: ['uuid', ({ orderId }) => orderId],
      lease_no: ['bigint', ({ leaseNo }) => leaseNo],
    }).as('held')}
      on held.order_id = open_orders.order_id and held.lease_no = open_orders.lease_no
    order by open_orders.order_id
    for update of open_orders`
}

/** Locks the open orders whose lease is still held, and returns their ids. */
export async function lockLeasedOrders(tx: Tx, leases: readonly LeaseKey[]): Promise<Set<string>> {
  const { rows } = await selectLeasedOrders(leases).execute(tx)
  return new Set(rows.map((row) => row.order_id))
}

/**
 * Gives back leases of orders that could not be worked on, before they expire. Nothing else changes: an attempt that may
 * have been committed stays, and is asked about. If this fails too, the leases expire.
 */
export async function giveBackLeases(db: Db, leases: readonly LeaseKey[]): Promise<void> {
  await sql`
    with held as materialized (${selectLeasedOrders(leases)})
    update open_orders set lease_until = '-infinity', lease_no = lease_no + 1
    from held where open_orders.order_id = held.order_id`
    .execute(db)
    .catch(() => undefined)
}

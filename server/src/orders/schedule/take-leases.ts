import { sql } from 'kysely'
import type { Tx } from '../../platform/database/database.ts'
import { rowsOf } from '../../platform/database/rows-of.ts'
import { type ClaimedOrder, leaseSeconds } from './claim-open-orders.ts'

/** A claimed order, and the attempt that is open from now on; null: none. */
export type Lease = { readonly claimed: ClaimedOrder; readonly attemptId: string | null }

/**
 * Takes the leases on claimed orders, together with the attempts that are about to be made. The leases count from the
 * moment of the claim. A hold reason ends when the order is sent.
 */
export async function takeLeases(tx: Tx, leases: readonly Lease[]): Promise<void> {
  if (leases.length === 0) return
  await sql`
    update open_orders
    set lease_until = lease.claimed_at + make_interval(secs => ${leaseSeconds}),
      lease_no = lease.lease_no,
      attempt_id = lease.attempt_id,
      hold_reason = case when lease.attempt_id is distinct from open_orders.attempt_id then null else open_orders.hold_reason end
    from ${rowsOf(leases, {
      order_id: ['uuid', ({ claimed }) => claimed.order.id],
      claimed_at: ['timestamptz', ({ claimed }) => claimed.claimedAt],
      lease_no: ['bigint', ({ claimed }) => claimed.leaseNo],
      attempt_id: ['uuid', ({ attemptId }) => attemptId],
    }).as('lease')}
    where open_orders.order_id = lease.order_id`.execute(tx)
}

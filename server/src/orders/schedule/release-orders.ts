import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { rowsOf } from '../../platform/database/rows-of.ts'
import type { HoldReason } from '../next-step.ts'
import { leaseSeconds } from './claim-open-orders.ts'

/** The next step of an order that stays open. */
export type OrderRelease = {
  readonly orderId: string
  readonly leaseNo: number
  /** Seconds from now, by the database's clock. */
  readonly afterSeconds: number
  readonly holdReason: HoldReason | null
  /** True: the attempt is over, and the next step is a new send. False: the supplier is still asked about it. */
  readonly isAttemptOver: boolean
  /** Moves the order to this route. */
  readonly route?: string
  /** True: the order waits because of our own mistake. Its deadline counts from the first such wait (decision S12b). */
  readonly isOurMistake?: boolean
}

/**
 * Writes the next steps of orders and gives their leases back, in one call (function `release_orders`). The lease number
 * grows, so an answer under the old lease no longer fits. If a callback about an open attempt came during the lease, the order
 * is due at once, because that callback has not been used yet. An order whose lease was lost stays as it is.
 */
export async function releaseOrders(db: Db, releases: readonly OrderRelease[]): Promise<void> {
  if (releases.length === 0) return
  const columns = rowsOf(releases, {
    order_ids: ['uuid', ({ orderId }) => orderId],
    lease_nos: ['bigint', ({ leaseNo }) => leaseNo],
    after_seconds: ['float8', ({ afterSeconds }) => afterSeconds],
    hold_reasons: ['text', ({ holdReason }) => holdReason],
    are_attempts_over: ['boolean', ({ isAttemptOver }) => isAttemptOver],
    routes: ['text', ({ route = null }) => route],
    are_our_mistakes: ['boolean', ({ isOurMistake = false }) => isOurMistake],
  })
  await sql`select release_orders(${columns.asArguments()}, lease_seconds => ${leaseSeconds})`.execute(db)
}

/**
 * Makes orders due again that wait on these routes because no supplier could take them. Called when a route of their product
 * and network was opened, or a supplier offers their package again. Orders under a lease stay as they are.
 */
export async function releaseReopenedRoutes(db: Db, routes: readonly string[]): Promise<void> {
  if (routes.length === 0) return
  await sql`
    update open_orders set next_step_at = clock_timestamp(), hold_reason = null
    where route = any(${routes}::text[]) and hold_reason in ('route_paused', 'not_offered', 'request_rejected') and lease_until <= clock_timestamp()`.execute(
    db,
  )
}

import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'

/**
 * Makes orders due again that wait on these routes because no supplier could take them. Called when a route of their network
 * was opened, or a supplier offers the bundle again. Orders under a lease stay as they are.
 */
export async function releaseReopenedRoutes(db: Db, routes: readonly string[]): Promise<void> {
  if (routes.length === 0) return
  await sql`
    update open_orders set next_step_at = clock_timestamp(), hold_reason = null
    where route = any(${routes}::text[]) and hold_reason in ('route_paused', 'not_offered', 'request_rejected') and lease_until <= clock_timestamp()`.execute(
    db,
  )
}

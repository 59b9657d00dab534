import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'

/**
 * Makes orders on these routes due that were held because no supplier could take them. Called when a route of their network
 * was opened, or a supplier offers the bundle again. An order under a lease is left alone.
 */
export async function releaseReopenedRoutes(db: Db, routes: readonly string[]): Promise<void> {
  if (routes.length === 0) return
  await sql`
    update open_orders set next_step_at = clock_timestamp(), hold_reason = null
    where route = any(${routes}::text[]) and hold_reason in ('route_paused', 'not_offered', 'request_rejected') and lease_until <= clock_timestamp()`.execute(
    db,
  )
}

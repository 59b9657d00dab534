import { sql } from 'kysely'
import { clearAlarm } from '../../notices/clear-alarm.ts'
import type { Tx } from '../../platform/database/database.ts'
import { raiseCatalogueVersion } from '../../platform/database/epoch.ts'
import { type RouteParts, routeName } from '../route-ports.ts'
import { routePausedAlarm } from './pause-route.ts'
import { lockRoutes, type RouteSelection, selectRoutes } from './read-routes.ts'

/**
 * Opens the paused routes of a selection and drops the refusals that paused them. Raises the catalogue's version and clears
 * the alarms.
 * @param pause opens a route only if it is still in the pause that began then. Left out: in any
 * @returns the names of the routes that were opened now
 */
export async function resumeRoutes(
  tx: Tx,
  selection: RouteSelection,
  pause?: { readonly pausedAt: string | null },
): Promise<string[]> {
  const isThatPause = pause ? sql<boolean>`paused_at is not distinct from ${pause.pausedAt}::timestamptz` : sql<boolean>`true`
  await lockRoutes(tx, selection)
  const { rows } = await sql<RouteParts>`
    with opened as (
      update routes set state = 'open', paused_reason = null, paused_at = null, paused_until = null
      where ${selectRoutes(selection)} and state = 'paused' and ${isThatPause}
      returning supplier, product, network
    ), forgotten as (
      delete from route_refusals using opened
      where (route_refusals.supplier, route_refusals.product, route_refusals.network)
        = (opened.supplier, opened.product, opened.network)
    )
    select supplier, product, network from opened`.execute(tx)
  const names = rows.map(routeName)
  if (names.length === 0) return []
  for (const name of names) await clearAlarm(tx, routePausedAlarm, name)
  await raiseCatalogueVersion(tx)
  return names
}

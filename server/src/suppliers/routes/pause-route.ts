import { sql } from 'kysely'
import { raiseAlarms } from '../../notices/raise-alarm.ts'
import type { Tx } from '../../platform/database/database.ts'
import { raiseCatalogueVersion } from '../../platform/database/epoch.ts'
import { type RouteParts, routeName } from '../route-ports.ts'
import { lockRoutes, type RouteSelection, selectRoutes } from './read-routes.ts'

/** Raised while a route is paused. Its subject is the route's name. */
export const routePausedAlarm = 'route_paused'

const reasonTexts: Readonly<Record<string, string>> = {
  float: 'our float there is empty. Top it up; the route opens again by itself after a good balance read.',
  auth: 'our credentials were refused.',
  silent: 'it does not answer. The route opens again by itself after a good balance read; what was sent is asked about.',
  disabled: 'our account there is disabled. Ask the supplier; the route opens again by itself after a good balance read.',
}

const commands: Readonly<Record<string, string>> = {
  auth: 'Correct them with `makola supplier set`; the route opens again by itself.',
}

export type RoutePause = {
  readonly reason: string
  /** Length of the pause, from now by the database's clock. Null: until a person resumes the route. */
  readonly seconds: number | null
  /** True: also replaces an existing pause, as a person's pause does. */
  readonly replacesPause?: boolean
}

/**
 * Pauses the open routes of a selection. New orders, and orders that were not sent, take another open route or wait. Orders
 * that were sent are asked about as before. Raises the catalogue's version and an alarm per route.
 * @returns the names of the routes that were paused now
 */
export async function pauseRoutes(tx: Tx, selection: RouteSelection, pause: RoutePause): Promise<string[]> {
  await lockRoutes(tx, selection)
  const { rows } = await sql<RouteParts>`
    update routes
    set state = 'paused', paused_reason = ${pause.reason}, paused_at = clock_timestamp(),
      probed_at = null, probe_said = null, paused_until = clock_timestamp() + make_interval(secs => ${pause.seconds}::float8)
    where ${selectRoutes(selection)} and (state = 'open' or ${pause.replacesPause === true}::boolean)
    returning supplier, product, network`.execute(tx)
  const names = rows.map(routeName)
  if (names.length === 0) return []
  const because = reasonTexts[pause.reason] ?? `${pause.reason}.`
  const command = commands[pause.reason]
  await raiseAlarms(
    tx,
    names.map((name) => ({ name: routePausedAlarm, subject: name, message: `Route ${name} is paused: ${because}`, command })),
  )
  await raiseCatalogueVersion(tx)
  return names
}

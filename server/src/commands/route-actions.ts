import { readConfig } from '../config.ts'
import type { Db } from '../platform/database/database.ts'
import { type RouteParts, routeName } from '../suppliers/route-name.ts'
import type { Route } from '../suppliers/route-ports.ts'
import { readRoutes } from '../suppliers/routes/read-routes.ts'
import type { RouteSelection } from '../suppliers/routes/select-routes.ts'
import { addRoute, pauseRoutesByHand, resumeRoutesByHand } from '../suppliers/routes/write-route.ts'
import { operatorName } from './frame/operator-name.ts'
import { printResult } from './frame/print-result.ts'
import { withDatabase } from './frame/with-database.ts'

function viewRoute(route: Route) {
  const { name, supplier, product, network, priority, health } = route
  const isPaused = health.state === 'paused'
  return {
    route: name,
    supplier,
    product,
    network,
    priority,
    supplier_enabled: route.isSupplierEnabled,
    state: health.state,
    reason: isPaused ? health.reason : null,
    until: isPaused ? (health.until?.toISOString() ?? null) : null,
  }
}

function describeRoute(route: ReturnType<typeof viewRoute>): string {
  const until = route.until === null ? 'until it is resumed' : `until ${route.until} at least`
  const state = route.state === 'open' ? 'open' : `paused (${route.reason}) ${until}`
  const note = route.supplier_enabled ? '' : ', but its supplier is disabled'
  return `${route.route}  priority ${route.priority}  ${state}${note}`
}

/** Makes a change and prints the routes that it names; without a change prints all routes. */
async function printRoutesAfter(change?: (db: Db, actor: string) => Promise<readonly string[]>): Promise<void> {
  const routes = await withDatabase(readConfig(), async (db) => {
    const names = change ? await change(db, operatorName()) : undefined
    return (await readRoutes(db)).filter((route) => names === undefined || names.includes(route.name)).map(viewRoute)
  })
  printResult({ routes }, routes.map(describeRoute).join('\n') || 'There is no route yet. Add one with `makola route add`.')
}

export function runRouteList(): Promise<void> {
  return printRoutesAfter()
}

export type PauseOptions = {
  readonly reason?: string
  /** Minutes. */
  readonly for?: number
}

export function runRoutePause(selection: RouteSelection, options: PauseOptions): Promise<void> {
  const seconds = options.for === undefined ? null : options.for * 60
  return printRoutesAfter((db, actor) => pauseRoutesByHand(db, selection, { reason: options.reason ?? '', seconds }, actor))
}

export function runRouteResume(selection: RouteSelection): Promise<void> {
  return printRoutesAfter((db, actor) => resumeRoutesByHand(db, selection, actor))
}

export function runRouteAdd(route: RouteParts, options: { readonly priority: number }): Promise<void> {
  return printRoutesAfter(async (db, actor) => {
    await addRoute(db, route, options.priority, actor)
    return [routeName(route)]
  })
}

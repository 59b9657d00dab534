import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/database.ts'
import { raiseCatalogueVersion } from '../../platform/database/epoch.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { appendOperatorLog } from '../../platform/operator-log/append-operator-log.ts'
import { OperatorRequestError } from '../../platform/operator-request-error.ts'
import { type RouteParts, routeName } from '../route-ports.ts'
import { pauseRoutes } from './pause-route.ts'
import { lockRoutes, type RouteSelection, selectRoutes } from './read-routes.ts'
import { resumeRoutes } from './resume-route.ts'
import { operatorReason } from './route-health.ts'

/** The requested change of a route is impossible. The message says what is possible. */
export class RouteChangeError extends OperatorRequestError {
  override readonly name = 'RouteChangeError'
}

function textOf(selection: RouteSelection): string {
  return [selection.supplier, selection.product, selection.network].filter((part) => part !== undefined).join('/')
}

async function readKnown(tx: Tx) {
  const suppliers = await tx.selectFrom('suppliers').select('name').orderBy('name').execute()
  const networks = await tx.selectFrom('networks').select(['product', 'name']).orderBy('product').orderBy('position').execute()
  const names = networks.map((row) => `${row.product}/${row.name}`)
  return { suppliers: suppliers.map((row) => row.name), networks: new Set(names), networkList: names.join(', ') }
}

async function checkKnown(tx: Tx, route: RouteParts): Promise<void> {
  const known = await readKnown(tx)
  if (!known.suppliers.includes(route.supplier)) {
    throw new RouteChangeError(`There is no supplier "${route.supplier}"; there is: ${known.suppliers.join(', ') || 'none yet'}.`)
  }
  if (!known.networks.has(`${route.product}/${route.network}`)) {
    throw new RouteChangeError(`There is no "${route.product}/${route.network}"; there is: ${known.networkList}.`)
  }
}

function readPriority(tx: Tx, { supplier, product, network }: RouteParts) {
  return tx
    .selectFrom('routes')
    .select('priority')
    .where('supplier', '=', supplier)
    .where('product', '=', product)
    .where('network', '=', network)
    .forUpdate()
    .executeTakeFirst()
}

/**
 * Adds a route, or changes its priority.
 * @throws RouteChangeError when a part of it is not known
 */
export function addRoute(db: Db, route: RouteParts, priority: number, actor: string, reason?: string): Promise<void> {
  return inTransaction(db, async (tx) => {
    await checkKnown(tx, route)
    const before = (await readPriority(tx, route)) ?? null
    await sql`
      insert into routes (supplier, product, network, priority)
      values (${route.supplier}, ${route.product}, ${route.network}, ${priority})
      on conflict (supplier, product, network) do update set priority = excluded.priority`.execute(tx)
    const details = { priority, before, after: { priority }, ...(reason !== undefined && { reason }) }
    await appendOperatorLog(tx, { actor, action: 'route add', subject: routeName(route), details })
    await raiseCatalogueVersion(tx)
  })
}

type RouteState = {
  readonly route: string
  readonly state: string
  readonly reason: string | null
  readonly until: string | null
}

/** States of the selected routes, for the operator's log. */
async function readStates(tx: Tx, selection: RouteSelection): Promise<RouteState[]> {
  const { rows } = await sql<RouteParts & { state: string; paused_reason: string | null; paused_until: Date | null }>`
    select supplier, product, network, state, paused_reason, paused_until from routes
    where ${selectRoutes(selection)} order by supplier, product, network`.execute(tx)
  return rows.map(({ state, paused_reason: reason, paused_until: until, ...route }) => ({
    route: routeName(route),
    state,
    reason,
    until: until?.toISOString() ?? null,
  }))
}

async function readSelected(tx: Tx, selection: RouteSelection): Promise<string[]> {
  const rows = await tx.selectFrom('routes').select(['supplier', 'product', 'network']).execute()
  const names = rows.map(routeName)
  const text = textOf(selection)
  const selected = names.filter((name) => name === text || name.startsWith(`${text}/`))
  if (selected.length === 0)
    throw new RouteChangeError(`There is no route "${text}"; there is: ${names.join(', ') || 'none yet'}.`)
  return selected
}

/**
 * Pauses routes by hand, until they are resumed or for a time. Replaces any earlier pause.
 * @returns the names of the routes that this paused
 * @throws RouteChangeError when there is no such route
 */
export function pauseRoutesByHand(
  db: Db,
  selection: RouteSelection,
  pause: { readonly reason: string; readonly seconds: number | null },
  actor: string,
): Promise<string[]> {
  return inTransaction(db, async (tx) => {
    await readSelected(tx, selection)
    await lockRoutes(tx, selection)
    const before = await readStates(tx, selection)
    const reason = operatorReason(pause.reason)
    const names = await pauseRoutes(tx, selection, { reason, seconds: pause.seconds, replacesPause: true })
    const after = await readStates(tx, selection)
    const details = { reason: pause.reason, seconds: pause.seconds, routes: names, before, after }
    await appendOperatorLog(tx, { actor, action: 'route pause', subject: textOf(selection), details })
    return names
  })
}

/**
 * Opens routes by hand.
 * @returns the names of the selected routes, also of those that were open
 * @throws RouteChangeError when there is no such route
 */
export function resumeRoutesByHand(db: Db, selection: RouteSelection, actor: string, reason?: string): Promise<string[]> {
  return inTransaction(db, async (tx) => {
    const selected = await readSelected(tx, selection)
    await lockRoutes(tx, selection)
    const before = await readStates(tx, selection)
    const opened = await resumeRoutes(tx, selection)
    const after = await readStates(tx, selection)
    const details = { routes: opened, before, after, ...(reason !== undefined && { reason }) }
    await appendOperatorLog(tx, { actor, action: 'route resume', subject: textOf(selection), details })
    return selected
  })
}

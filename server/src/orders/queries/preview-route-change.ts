import { sql } from 'kysely'
import type { Db, TableRow } from '../../platform/database/database.ts'
import type { SupplierRegistry } from '../../suppliers/ports.ts'
import { type Route, routeName } from '../../suppliers/route-ports.ts'
import { isSendable, rankRoutes } from '../../suppliers/routes/load-routes.ts'
import { type RouteSelection, readRoutes } from '../../suppliers/routes/read-routes.ts'
import type { Fulfilment } from '../fulfilment.ts'
import { listOrdersById, type Order } from '../order.ts'

/** The effect of a pause or a resumption on the orders of its routes. */
export type RouteChangeEffect = {
  readonly routes: readonly string[]
  /** How many waiting orders each supplier would get. Under `null`: those that would go on waiting. */
  readonly waiting: readonly { readonly supplier: string | null; readonly orders: number }[]
  /** True: more orders wait than were read, so `waiting` counts only the first of them. */
  readonly isPartial: boolean
  /** How many orders were sent already. They are asked about as before. */
  readonly sent: number
  /** For each product and network, the supplier to which new orders would go. Null: they would wait. */
  readonly newOrders: readonly { readonly product: string; readonly network: string; readonly supplier: string | null }[]
}

export type RouteChangeEffectDeps = {
  readonly db: Db
  readonly registry: Pick<SupplierRegistry, 'find'>
  /** For each product, the function that finds the suppliers which could take its orders. */
  readonly capable: ReadonlyMap<string, Fulfilment['listCapableSuppliers']>
}

/** At most this many waiting orders are read. */
const ordersMax = 2_000

const isSelected = ({ supplier, product, network }: RouteSelection, route: Route) =>
  route.supplier === supplier &&
  (product === undefined || route.product === product) &&
  (network === undefined || route.network === network)

type Waiting = { readonly order: Order; readonly route: string }

async function readWaiting(db: Db, routes: readonly string[]): Promise<readonly Waiting[]> {
  const { rows } = await sql<TableRow<'open_orders', 'order_id' | 'route'>>`
    select order_id, route from open_orders
    where route = any(${routes}::text[]) and not is_question and attempt_no is null and hold_reason is distinct from 'not_registered'
    order by next_step_at limit ${ordersMax + 1}`.execute(db)
  const orders = await listOrdersById(
    db,
    rows.map((row) => row.order_id),
  )
  return rows.flatMap(({ order_id, route }) => {
    const order = orders.get(order_id)
    return order ? [{ order, route }] : []
  })
}

async function readCapable(
  { db, capable }: RouteChangeEffectDeps,
  waiting: readonly Waiting[],
): Promise<Map<string, ReadonlySet<string>>> {
  const all = new Map<string, ReadonlySet<string>>()
  for (const [kind, group] of Map.groupBy(waiting, ({ order }) => order.kind)) {
    const list = capable.get(kind)
    const found = await list?.(
      db,
      group.map(({ order }) => order),
    )
    for (const [orderId, suppliers] of found ?? []) all.set(orderId, suppliers)
  }
  return all
}

async function countSent(db: Db, routes: readonly string[]): Promise<number> {
  const { rows } = await sql<{ sent: number }>`
    select count(*)::integer as sent from open_orders where route = any(${routes}::text[]) and attempt_no is not null`.execute(db)
  return rows[0]?.sent ?? 0
}

/**
 * Calculates the effect of a pause or a resumption of routes on the orders that wait there, by the worker's rules: an order
 * goes out on its own route, if that is open and the supplier offers what was bought, else on the best other route that can
 * take it, else it waits.
 */
export async function previewRouteChange(
  deps: RouteChangeEffectDeps,
  selection: RouteSelection,
  change: 'pause' | 'resume',
): Promise<RouteChangeEffect> {
  const before = await readRoutes(deps.db)
  const selected = before.filter((route) => isSelected(selection, route))
  const health: Route['health'] = change === 'pause' ? { state: 'paused', reason: '', until: null } : { state: 'open' }
  const after = before.map((route) => (isSelected(selection, route) ? { ...route, health } : route))
  const keyOf = ({ product, network }: Route) => `${product}/${network}`
  const keys = new Set(selected.map(keyOf))
  const groups = new Map(
    [...Map.groupBy(after, keyOf)].filter(([key]) => keys.has(key)).map(([key, all]) => [key, rankRoutes(all)]),
  )
  // Opening a route also frees the orders that wait on other routes of its product and network.
  const looked = change === 'pause' ? selected : [...groups.values()].flat()
  const waiting = await readWaiting(deps.db, looked.map(routeName))
  const capable = await readCapable(deps, waiting)
  const takes = (route: Route, orderId: string) =>
    isSendable(route) && capable.get(orderId)?.has(route.supplier) === true && deps.registry.find(route.supplier) !== undefined
  const counts = new Map<string | null, number>()
  for (const { order, route } of waiting.slice(0, ordersMax)) {
    const own = after.find(({ name }) => name === route)
    const goes = own && takes(own, order.id) ? own : own && groups.get(keyOf(own))?.find((other) => takes(other, order.id))
    const supplier = goes?.supplier ?? null
    counts.set(supplier, (counts.get(supplier) ?? 0) + 1)
  }
  return {
    routes: selected.map(({ name }) => name),
    waiting: [...counts].map(([supplier, orders]) => ({ supplier, orders })).toSorted((a, b) => b.orders - a.orders),
    isPartial: waiting.length > ordersMax,
    sent: await countSent(deps.db, selected.map(routeName)),
    newOrders: [...groups.values()].flatMap((ranked) => {
      const [first] = ranked
      return first
        ? [{ product: first.product, network: first.network, supplier: isSendable(first) ? first.supplier : null }]
        : []
    }),
  }
}

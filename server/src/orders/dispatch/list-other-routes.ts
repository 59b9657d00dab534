import type { Db } from '../../platform/database/database.ts'
import type { SupplierRegistry } from '../../suppliers/ports.ts'
import { parseRouteName, type Route, type Routes } from '../../suppliers/route-ports.ts'
import type { Fulfilment } from '../fulfilment.ts'
import type { Order } from '../order.ts'

type OtherRoutesDeps = {
  readonly routes: Routes
  readonly registry: SupplierRegistry
  readonly fulfilments: ReadonlyMap<string, Fulfilment>
}

/** An order, its current route, and tried suppliers to leave out besides the route's own. */
export type OrderToReroute = { readonly order: Order; readonly route: string; readonly triedSuppliers: readonly string[] }

/**
 * Finds, for each order, the other open routes that could fulfil it, best first. Such a route is for the same product and
 * network, and its supplier is enabled, is not to be left out, and offers what was bought.
 */
export async function listOtherRoutes(
  deps: OtherRoutesDeps,
  db: Db,
  stranded: readonly OrderToReroute[],
): Promise<Map<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>()
  for (const [kind, group] of Map.groupBy(stranded, ({ order }) => order.kind)) {
    const fulfilment = deps.fulfilments.get(kind)
    if (!fulfilment) continue
    const candidates = group
      .map((item) => ({ ...item, routes: listOpenRoutesElsewhere(deps, item) }))
      .filter(({ routes }) => routes.length > 0)
    if (candidates.length === 0) continue
    const capable = await fulfilment.listCapableSuppliers(
      db,
      candidates.map(({ order }) => order),
    )
    for (const { order, routes } of candidates) {
      const names = routes.filter(({ supplier }) => capable.get(order.id)?.has(supplier) === true).map(({ name }) => name)
      if (names.length > 0) found.set(order.id, names)
    }
  }
  return found
}

/** Lists the open routes of the same product and network at other suppliers than these, best first. */
export function listOpenRoutesElsewhere(
  deps: Pick<OtherRoutesDeps, 'routes' | 'registry'>,
  { route, triedSuppliers }: Omit<OrderToReroute, 'order'>,
): readonly Route[] {
  const parts = parseRouteName(route)
  if (!parts) return []
  return deps.routes
    .listNext(parts.product, parts.network, [route])
    .filter(
      (other) =>
        other.supplier !== parts.supplier &&
        !triedSuppliers.includes(other.supplier) &&
        deps.registry.find(other.supplier) !== undefined,
    )
}

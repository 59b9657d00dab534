import type { Db } from '../../platform/database/database.ts'
import type { Order } from '../order.ts'

/**
 * The suppliers that have a route for each order's network, by order id: for products where a route is
 * all it takes, because nothing is offered package by package. Whether a route is open is the caller's concern.
 */
export async function listSuppliersByRoutes(
  db: Db,
  product: string,
  orders: readonly Order[],
  networkOf: (order: Order) => string,
): Promise<Map<string, ReadonlySet<string>>> {
  const routes = await db.selectFrom('routes').select(['supplier', 'network']).where('product', '=', product).execute()
  const suppliersOf = Map.groupBy(routes, (route) => route.network)
  return new Map(
    orders.map((order) => [order.id, new Set((suppliersOf.get(networkOf(order)) ?? []).map(({ supplier }) => supplier))]),
  )
}

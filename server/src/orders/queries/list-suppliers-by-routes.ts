import type { Db } from '../../platform/database/database.ts'
import { readManyDetails } from '../create-details-reader.ts'
import type { Order } from '../order.ts'

/**
 * Finds, for each order id, the suppliers that have a route for this product and the order's network. For products whose
 * suppliers have no offers per package. The caller checks whether a route is open.
 */
export async function listSuppliersByRoutes(
  db: Db,
  product: string,
  orders: readonly Order[],
  networkOf: (order: Order) => string,
): Promise<Map<string, ReadonlySet<string>>> {
  const routes = await db.selectFrom('routes').select(['supplier', 'network']).where('product', '=', product).execute()
  const suppliersOf = Map.groupBy(routes, (route) => route.network)
  const networks = readManyDetails(orders, networkOf)
  return new Map(
    [...networks].map(([order, network]) => [
      order.id,
      new Set((suppliersOf.get(network) ?? []).map(({ supplier }) => supplier)),
    ]),
  )
}

import { releaseReopenedRoutes } from '../../orders/schedule/release-orders.ts'
import type { Db } from '../../platform/database/database.ts'
import { routeName } from '../../suppliers/route-ports.ts'

/** Makes orders of these networks due that wait for an offer or a route: a supplier may offer their package now. */
export async function releaseWaitingOrders(db: Db, networks: readonly string[]): Promise<void> {
  if (networks.length === 0) return
  const routes = await db
    .selectFrom('routes')
    .select(['supplier', 'product', 'network'])
    .where('product', '=', 'data')
    .where('network', 'in', [...new Set(networks)])
    .execute()
  await releaseReopenedRoutes(db, routes.map(routeName))
}

import { releaseReopenedRoutes } from '../../orders/dispatch/release-reopened-routes.ts'
import type { Db } from '../../platform/database/database.ts'
import { routeName } from '../../suppliers/route-name.ts'

/** Has bundles of these networks that waited because nobody offered them looked at now, instead of at the next minute. */
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

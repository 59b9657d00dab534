import type { Db, Tx } from '../../platform/database/database.ts'
import { routeName } from '../route-name.ts'
import type { Route } from '../route-ports.ts'

/** Reads every route with its state, best first per product and network. */
export async function readRoutes(db: Db | Tx): Promise<Route[]> {
  const rows = await db
    .selectFrom('routes')
    .innerJoin('suppliers', 'suppliers.name', 'routes.supplier')
    .select(['supplier', 'product', 'network', 'priority', 'state', 'paused_reason', 'paused_until', 'is_enabled'])
    .orderBy('product')
    .orderBy('network')
    .orderBy('priority')
    .orderBy('supplier')
    .execute()
  return rows.map((row) => ({
    name: routeName(row),
    supplier: row.supplier,
    product: row.product,
    network: row.network,
    priority: row.priority,
    isSupplierEnabled: row.is_enabled,
    health:
      row.state === 'open' ? { state: 'open' } : { state: 'paused', reason: row.paused_reason ?? '', until: row.paused_until },
  }))
}

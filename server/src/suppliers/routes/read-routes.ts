import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/database.ts'
import { type Route, routeName } from '../route-ports.ts'

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

/** Selects all routes of a supplier, those of one product, or a single one. */
export type RouteSelection = { readonly supplier: string; readonly product?: string; readonly network?: string }

export function selectRoutes({ supplier, product, network }: RouteSelection): RawBuilder<boolean> {
  return sql<boolean>`routes.supplier = ${supplier}
    and (${product ?? null}::text is null or routes.product = ${product ?? null}::text)
    and (${network ?? null}::text is null or routes.network = ${network ?? null}::text)`
}

/** Locks the routes of a selection in a fixed order, so that two changes cannot deadlock. */
export async function lockRoutes(tx: Tx, selection: RouteSelection): Promise<void> {
  await sql`select from routes where ${selectRoutes(selection)} order by supplier, product, network for update`.execute(tx)
}

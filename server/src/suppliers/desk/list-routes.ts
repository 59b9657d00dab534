import { sql } from 'kysely'
import type { Static } from 'typebox'
import type { Db } from '../../platform/database/database.ts'
import { routeName } from '../route-name.ts'
import { endsWithProbe, operatorReasonText } from '../routes/route-health.ts'
import type { DeskRoute } from './routes.schemas.ts'

type RouteView = Static<typeof DeskRoute>

/** Open orders of each route, by its name. */
export type CountOrders = (db: Db) => Promise<ReadonlyMap<string, { readonly waiting: number; readonly sent: number }>>

type Row = {
  supplier: string
  product: string
  network: string
  priority: number
  rank: number
  is_enabled: boolean
  state: 'open' | 'paused'
  paused_reason: string | null
  paused_at: Date | null
  paused_until: Date | null
  probed_at: Date | null
  probe_said: string | null
}

function viewPause(row: Row): Pick<RouteView, 'paused_by' | 'paused_reason' | 'probed_at' | 'probe_said'> {
  const reason = row.state === 'paused' ? (row.paused_reason ?? '') : undefined
  if (reason === undefined) return { paused_by: null, paused_reason: null, probed_at: null, probe_said: null }
  if (!endsWithProbe(reason)) {
    return { paused_by: 'person', paused_reason: operatorReasonText(reason), probed_at: null, probe_said: null }
  }
  const probed = { probed_at: row.probed_at?.toISOString() ?? null, probe_said: row.probe_said }
  return { paused_by: reason as 'float', paused_reason: null, ...probed }
}

/** All routes, or one supplier's, best first per product and network, each with the number of its open orders. */
export async function listDeskRoutes(db: Db, countOrders: CountOrders, supplier?: string): Promise<RouteView[]> {
  const { rows } = await sql<Row>`
    select * from (
      select supplier, product, network, priority, state, paused_reason, paused_at, paused_until, probed_at, probe_said, is_enabled,
        (rank() over (partition by product, network order by priority, supplier))::integer as rank
      from routes join suppliers on suppliers.name = routes.supplier
    ) as route
    where ${supplier ?? null}::text is null or supplier = ${supplier ?? null}
    order by product, network, rank`.execute(db)
  const orders = await countOrders(db)
  return rows.map((row) => {
    const name = routeName(row)
    const { waiting, sent } = orders.get(name) ?? { waiting: 0, sent: 0 }
    return {
      route: name,
      supplier: row.supplier,
      product: row.product,
      network: row.network,
      priority: row.priority,
      rank: row.rank,
      is_supplier_enabled: row.is_enabled,
      state: row.state,
      paused_at: row.paused_at?.toISOString() ?? null,
      paused_until: row.paused_until?.toISOString() ?? null,
      ...viewPause(row),
      orders_waiting: waiting,
      orders_sent: sent,
    }
  })
}

/** Every product and network that a route may serve. */
export function listRouteNetworks(db: Db): Promise<{ product: string; network: string }[]> {
  return db.selectFrom('networks').select(['product', 'name as network']).orderBy('product').orderBy('position').execute()
}

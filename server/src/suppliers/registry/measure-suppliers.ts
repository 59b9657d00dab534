import type { Db } from '../../platform/database/database.ts'
import type { Metrics } from '../../platform/metrics/open-metrics.ts'
import { routeName } from '../route-name.ts'

export function measureSuppliers(metrics: Metrics, db: Db): () => Promise<void> {
  const open = metrics.gauge('makola_route_open', 'Whether a route is open (1) or paused (0).', ['route'])
  const float = metrics.gauge('makola_supplier_float_ghs', 'Our float at a supplier, as last read.', ['supplier'])
  return async () => {
    const [routes, suppliers] = await Promise.all([
      db.selectFrom('routes').select(['supplier', 'product', 'network', 'state']).execute(),
      db.selectFrom('suppliers').select(['name', 'float_pesewas']).where('is_enabled', '=', true).execute(),
    ])
    open.reset()
    float.reset()
    for (const route of routes) open.set({ route: routeName(route) }, route.state === 'open' ? 1 : 0)
    for (const { name, float_pesewas: amount } of suppliers) if (amount !== null) float.set({ supplier: name }, amount / 100)
  }
}

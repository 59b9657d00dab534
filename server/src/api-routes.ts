import { registerAccountRoutes } from './accounts/account.routes.ts'
import { registerMoneyRoutes } from './money/money.routes.ts'
import type { Door } from './orders/place-orders.ts'
import type { Db } from './platform/database/database.ts'
import type { Epoch } from './platform/database/epoch.ts'
import type { Api } from './platform/http/api.ts'
import { registerDataRoutes } from './products/data/data.routes.ts'
import type { DataDeps } from './products/data/data-order-item.ts'

/** What all endpoints together need; each takes its part. */
export type ApiRouteDeps = DataDeps & { readonly db: Db; readonly epoch: Epoch; readonly door: Door }

/** Every endpoint under `/api/v2`, folder by folder. */
export function registerApiRoutes(api: Api, deps: ApiRouteDeps): void {
  registerAccountRoutes(api, deps)
  registerMoneyRoutes(api, deps)
  registerDataRoutes(api, deps)
}

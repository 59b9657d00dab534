import { registerAccountRoutes } from './accounts/account.routes.ts'
import { registerRequestLogRoute } from './accounts/request-log/request-log.routes.ts'
import { registerMoneyRoutes } from './money/money.routes.ts'
import { registerOrderListRoute } from './orders/api/orders.routes.ts'
import type { ProductFacts } from './orders/product-facts.ts'
import { nameOrders } from './orders/queries/name-orders.ts'
import type { RecipientForms } from './orders/queries/order-filters.ts'
import type { Db } from './platform/database/database.ts'
import type { Epoch } from './platform/database/epoch.ts'
import { absentParts } from './platform/http/document/absent-parts.ts'
import type { Api } from './platform/http/route-types.ts'
import type { OrderFunctions, ProductApiDeps, ProductInApi } from './products/product.ts'
import { products } from './products/products.ts'

export type ApiRouteDeps = OrderFunctions & {
  readonly db: Db
  readonly epoch: Epoch
  readonly products: readonly ProductInApi[]
  /** The facts about the same products. */
  readonly facts: readonly ProductFacts[]
  readonly formsOfRecipient: (text: string) => Promise<RecipientForms>
}

/** Registers every endpoint under `/api/v2`: first those that belong to no product, then those of each product. */
export function registerApiRoutes(api: Api, deps: ApiRouteDeps): void {
  registerAccountRoutes(api, deps)
  registerMoneyRoutes(api, { ...deps, nameOrders: (db, orderIds) => nameOrders(db, deps.facts, orderIds) })
  registerOrderListRoute(api, deps)
  registerRequestLogRoute(api, deps)
  for (const product of deps.products) product.registerRoutes(api, deps)
}

/** The products in a process that only describes its routes. */
export const describeProducts = () =>
  products.map((product) => product.openForApi(absentParts<ProductApiDeps>({ metrics: undefined })))

/** Registers every endpoint, only for the OpenAPI document. */
export function describeApiRoutes(api: Api): void {
  registerApiRoutes(api, absentParts<ApiRouteDeps>({ products: describeProducts(), facts: products }))
}

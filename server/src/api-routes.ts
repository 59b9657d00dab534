import { registerAccountRoutes } from './accounts/account.routes.ts'
import { registerMoneyRoutes } from './money/money.routes.ts'
import type { Db } from './platform/database/database.ts'
import type { Epoch } from './platform/database/epoch.ts'
import type { Api } from './platform/http/api.ts'
import { absentParts } from './platform/http/document/absent-parts.ts'
import type { ApiParts, ProductInApi, Shop } from './products/product.ts'
import { products } from './products/products.ts'

export type ApiRouteDeps = Shop & {
  readonly db: Db
  readonly epoch: Epoch
  readonly products: readonly ProductInApi[]
}

/** Registers every endpoint under `/api/v2`: the account's and the wallet's, then product by product. */
export function registerApiRoutes(api: Api, deps: ApiRouteDeps): void {
  registerAccountRoutes(api, deps)
  registerMoneyRoutes(api, deps)
  for (const product of deps.products) product.registerRoutes(api, deps)
}

/** The products in a process that only describes its routes. */
export const describeProducts = () => products.map((product) => product.openForApi(absentParts<ApiParts>({ metrics: undefined })))

/** Registers every endpoint for the document only. */
export function describeApiRoutes(api: Api): void {
  registerApiRoutes(api, absentParts<ApiRouteDeps>({ products: describeProducts() }))
}

import type { OpenGateways } from './gateways/open-gateways.ts'
import type { PeopleDeps } from './people/people-deps.ts'
import type { RequestCounts } from './platform/http/check-caller.ts'
import type { ApiParts, ProductInApi, Shop } from './products/product.ts'

/** What the routes for persons work with: what there is of persons, and what an API process sells with. */
export type DashboardDeps = PeopleDeps &
  ApiParts &
  Shop &
  RequestCounts & {
    readonly products: readonly ProductInApi[]
    /** Where resellers pay in. */
    readonly gateways: OpenGateways
    /** Whether the simulator stands in for all suppliers. */
    readonly isSimulated: boolean
  }

import type { OpenGateways } from './gateways/open-gateways.ts'
import type { PeopleDeps } from './people/people-deps.ts'
import type { Db } from './platform/database/database.ts'
import type { RequestCounts } from './platform/http/check-caller.ts'
import type { ReadReplica } from './platform/replica/open-read-replica.ts'
import type { OrderFunctions, ProductApiDeps, ProductInApi } from './products/product.ts'

/** Everything that the routes for persons use: the functions about persons, and the parts with which an API process sells. */
export type DashboardDeps = PeopleDeps &
  ProductApiDeps &
  OrderFunctions &
  RequestCounts & {
    readonly products: readonly ProductInApi[]
    readonly gateways: OpenGateways
    readonly replica: ReadReplica
    /** The database of the test side. Undefined: there is none. */
    readonly testDb?: Db | undefined
    /** True when the simulator replaces all suppliers. */
    readonly isSimulated: boolean
  }

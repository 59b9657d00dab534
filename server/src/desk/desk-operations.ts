import type { DashboardDeps } from '../dashboard-deps.ts'
import { countOrdersOnRoutes } from '../orders/queries/count-orders-on-routes.ts'
import { foreseeRouteChange } from '../orders/queries/foresee-route-change.ts'
import type { StaffOperation } from '../platform/operations/operation.ts'
import { products } from '../products/products.ts'
import { healthOperations } from '../reports/suppliers/health.operations.ts'
import { routeOperations } from '../suppliers/desk/routes.operations.ts'

const capable = new Map(
  products.flatMap(({ name, listCapableSuppliers }) =>
    listCapableSuppliers === undefined ? [] : [[name, listCapableSuppliers] as const],
  ),
)

/** The operations that only the desk has. They are made of parts of the API's process, such as the open suppliers. */
export function deskOperations({ db, settings, suppliers: registry }: DashboardDeps): readonly StaffOperation<unknown>[] {
  return [
    ...healthOperations(settings),
    ...routeOperations({
      countOrders: countOrdersOnRoutes,
      foresee: (selection, change) => foreseeRouteChange({ db, registry, capable }, selection, change),
    }),
  ]
}

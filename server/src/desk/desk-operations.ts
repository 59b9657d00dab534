import type { DashboardDeps } from '../dashboard-deps.ts'
import { alarmTestOperation } from '../notices/at-desk/alarms.operations.ts'
import { incidentOperations } from '../notices/incidents/incidents.operations.ts'
import { countOrdersOnRoutes } from '../orders/queries/count-orders-on-routes.ts'
import { foreseeRouteChange } from '../orders/queries/foresee-route-change.ts'
import type { StaffOperation } from '../platform/operations/operation.ts'
import { products } from '../products/products.ts'
import { voucherTypeDeskOperations } from '../products/results-checker/desk/voucher-types.operations.ts'
import { voucherDeskOperations } from '../products/results-checker/desk/vouchers.operations.ts'
import { healthOperations } from '../reports/suppliers/health.operations.ts'
import { routeOperations } from '../suppliers/desk/routes.operations.ts'

const capable = new Map(
  products.flatMap(({ name, listCapableSuppliers }) =>
    listCapableSuppliers === undefined ? [] : [[name, listCapableSuppliers] as const],
  ),
)

/**
 * The operations that only the desk has, made of parts of the API's process, such as the open suppliers. Those with a command
 * are in `all-operations.ts`.
 */
export function deskOperations(deps: DashboardDeps): readonly StaffOperation<unknown>[] {
  const { db, settings, suppliers: registry } = deps
  return [
    ...healthOperations(settings),
    ...incidentOperations,
    alarmTestOperation(deps),
    ...voucherTypeDeskOperations(deps),
    ...voucherDeskOperations,
    ...routeOperations({
      countOrders: countOrdersOnRoutes,
      foresee: (selection, change) => foreseeRouteChange({ db, registry, capable }, selection, change),
    }),
  ]
}

import type { DashboardDeps } from '../dashboard-deps.ts'
import { countOrdersOnRoutes } from '../orders/queries/count-orders-on-routes.ts'
import { foreseeRouteChange } from '../orders/queries/foresee-route-change.ts'
import { permissionsOfStaff } from '../people/permissions/staff-permissions.ts'
import { listStaff } from '../people/staff/manage-staff.ts'
import type { Api } from '../platform/http/api.ts'
import { registerRegistrationServerRoutes } from '../products/data/registration/servers.desk.routes.ts'
import { registerSupplierListRoute } from '../products/data/supplier-lists/supplier-list.desk.routes.ts'
import { products } from '../products/products.ts'
import { registerSmsLinkRoutes } from '../products/sms/link/links.desk.routes.ts'
import { registerDifferenceDeskRoutes } from '../reconciliation/differences.desk.routes.ts'
import { registerStatementDeskRoutes } from '../reconciliation/statements.desk.routes.ts'
import { registerRouteDeskRoutes } from '../suppliers/desk/routes.desk.routes.ts'
import { registerSupplierDeskRoutes } from '../suppliers/desk/suppliers.desk.routes.ts'

const capable = new Map(
  products.flatMap(({ name, listCapableSuppliers }) =>
    listCapableSuppliers === undefined ? [] : [[name, listCapableSuppliers] as const],
  ),
)

const expectations = products.flatMap(({ expectedCost }) => expectedCost ?? [])

export function registerSuppliersDesk(desk: Api, deps: DashboardDeps): void {
  const { db, settings, suppliers } = deps
  registerSupplierDeskRoutes(desk, deps)
  registerSupplierListRoute(desk, deps)
  registerRouteDeskRoutes(desk, {
    db,
    countOrders: countOrdersOnRoutes,
    foresee: async (selection, change) => {
      const { isPartial, newOrders, routes, waiting, ...rest } = await foreseeRouteChange(
        { db, registry: suppliers, capable },
        selection,
        change,
      )
      return { ...rest, routes: [...routes], waiting: [...waiting], is_partial: isPartial, new_orders: [...newOrders] }
    },
  })
  registerSmsLinkRoutes(desk, { db })
  registerRegistrationServerRoutes(desk, deps)
  registerStatementDeskRoutes(desk, { db, expectations })
  registerDifferenceDeskRoutes(desk, {
    db,
    settings,
    listReconcilers: async () => {
      const staff = await listStaff(db)
      return staff
        .filter(({ role }) => permissionsOfStaff(role).includes('reconcile'))
        .map(({ name, email }) => ({ name, email }))
    },
  })
}

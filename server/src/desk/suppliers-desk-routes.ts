import type { DashboardDeps } from '../dashboard-deps.ts'
import type { Api } from '../platform/http/route-types.ts'
import { registerRegistrationServerRoutes } from '../products/data/registration/servers.desk.routes.ts'
import { registerSupplierListRoute } from '../products/data/supplier-lists/supplier-list.desk.routes.ts'
import { products } from '../products/products.ts'
import { registerSmsLinkRoutes } from '../products/sms/link/links.desk.routes.ts'
import { registerDifferencesFile } from '../reconciliation/differences-file.desk.routes.ts'
import { registerStatementDeskRoutes } from '../reconciliation/statements.desk.routes.ts'
import { registerSupplierDeskRoutes } from '../suppliers/desk/suppliers.desk.routes.ts'

const expectations = products.flatMap(({ expectedCost }) => expectedCost ?? [])

export function registerSuppliersDesk(desk: Api, deps: DashboardDeps): void {
  const { db } = deps
  registerSupplierDeskRoutes(desk, deps)
  registerSupplierListRoute(desk, deps)
  registerSmsLinkRoutes(desk, { db })
  registerRegistrationServerRoutes(desk, deps)
  registerStatementDeskRoutes(desk, { db, expectations })
  registerDifferencesFile(desk, { db })
}

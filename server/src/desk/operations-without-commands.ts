import { businessDeskOperations } from '../accounts/desk/business.operations.ts'
import type { DashboardDeps } from '../dashboard-deps.ts'
import { alarmTestOperation } from '../notices/at-desk/alarms.operations.ts'
import { incidentOperations } from '../notices/incidents/incidents.operations.ts'
import { countOrdersOnRoutes } from '../orders/queries/measure-open-orders.ts'
import { previewRouteChange } from '../orders/queries/preview-route-change.ts'
import { invitationOperations } from '../people/accounts-at-desk/account-people.operations.ts'
import { accountCreation, accountReadOperations } from '../people/accounts-at-desk/accounts.operations.ts'
import { permissionsOfStaff } from '../people/permissions/staff-permissions.ts'
import { listStaff } from '../people/staff/manage-staff.ts'
import { staffDeskOperations } from '../people/staff/staff-desk.operations.ts'
import type { StaffOperation } from '../platform/operations/operation.ts'
import { products } from '../products/products.ts'
import { voucherTypeDeskOperations } from '../products/results-checker/desk/voucher-types.operations.ts'
import { voucherDeskOperations } from '../products/results-checker/desk/vouchers.operations.ts'
import { differenceOperations, openDifferencesOperation } from '../reconciliation/differences.operations.ts'
import { readAccountSales } from '../reports/read-account-sales.ts'
import { healthOperations } from '../reports/suppliers/health.operations.ts'
import { routeOperations } from '../suppliers/desk/routes.operations.ts'

const capable = new Map(
  products.flatMap(({ name, listCapableSuppliers }) =>
    listCapableSuppliers === undefined ? [] : [[name, listCapableSuppliers] as const],
  ),
)

/**
 * The operations that only the desk has. Some need parts of the API's process, such as the open suppliers. The operations with
 * a command are in `all-operations.ts`.
 */
export function deskOperations(deps: DashboardDeps): readonly StaffOperation<unknown>[] {
  const { db, epoch, settings, suppliers: registry } = deps
  const accountReads = {
    db,
    databaseNow: () => epoch.databaseNow(),
    listRolePrices: async () =>
      (await Promise.all(products.map((product) => product.listRolePrices?.(db) ?? Promise.resolve([])))).flat(),
    readSales: (accountIds: readonly string[], days: number) => readAccountSales(db, accountIds, days),
  }
  const listReconcilers = async () => {
    const staff = await listStaff(db)
    return staff.filter(({ role }) => permissionsOfStaff(role).includes('reconcile'))
  }
  return [
    ...accountReadOperations(accountReads),
    accountCreation(deps),
    ...invitationOperations(deps),
    ...businessDeskOperations,
    ...staffDeskOperations(deps),
    ...healthOperations(settings),
    ...incidentOperations,
    ...differenceOperations,
    openDifferencesOperation(listReconcilers),
    alarmTestOperation(deps),
    ...voucherTypeDeskOperations(deps),
    ...voucherDeskOperations,
    ...routeOperations({
      countOrders: countOrdersOnRoutes,
      foresee: (selection, change) => previewRouteChange({ db, registry, capable }, selection, change),
    }),
  ]
}

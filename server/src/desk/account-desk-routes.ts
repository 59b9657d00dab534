import type { DashboardDeps } from '../dashboard-deps.ts'
import { nameOrders } from '../orders/queries/name-orders.ts'
import { registerAccountMoneyDeskRoutes } from '../people/accounts-at-desk/account-money.desk.routes.ts'
import { registerAccountPeopleDeskRoutes } from '../people/accounts-at-desk/account-people.desk.routes.ts'
import { registerAccountsDeskRoutes } from '../people/accounts-at-desk/accounts.desk.routes.ts'
import type { AccountDeskDeps } from '../people/accounts-at-desk/read-account-in-full.ts'
import type { Api } from '../platform/http/api.ts'
import { products } from '../products/products.ts'
import { readAccountSales } from '../reports/read-account-sales.ts'

/**
 * Registers the routes about one reseller's account, under `/desk/api/accounts`. They import from several folders, so this file
 * is above those folders.
 */
export function registerAccountDeskRoutes(desk: Api, deps: DashboardDeps): void {
  const { db, epoch, throttle } = deps
  const accounts: AccountDeskDeps = {
    db,
    throttle,
    nameOrders: (reading, orderIds) => nameOrders(reading, products, orderIds),
    databaseNow: () => epoch.databaseNow(),
    listRolePrices: async () =>
      (await Promise.all(products.map((product) => product.listRolePrices?.(db) ?? Promise.resolve([])))).flat(),
    readSales: (accountIds, days) => readAccountSales(db, accountIds, days),
  }
  registerAccountsDeskRoutes(desk, accounts)
  registerAccountMoneyDeskRoutes(desk, accounts)
  registerAccountPeopleDeskRoutes(desk, deps)
}

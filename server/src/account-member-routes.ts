import { registerNoticeMemberRoutes } from './accounts/notices/notices.member.routes.ts'
import type { DashboardDeps } from './dashboard-deps.ts'
import { registerHomeMemberRoutes } from './home.member.routes.ts'
import { registerWalletMemberRoutes } from './money/members/wallet.member.routes.ts'
import { readPhoneNumber } from './networks/read-phone-number.ts'
import { registerOrderMemberRoutes } from './orders/members/orders.member.routes.ts'
import { nameOrders } from './orders/queries/name-orders.ts'
import { readPendingCommission } from './orders/queries/read-commission-account.ts'
import { registerSpendingRoutes } from './orders/spending/spending.member.routes.ts'
import { mustBeMember, readPersonName } from './people/manage-people.ts'
import { formsOfRecipient } from './personal/recipient-hash.ts'
import type { Api } from './platform/http/route-types.ts'
import { products } from './products/products.ts'
import { readUsualWait } from './reports/read-usual-wait.ts'
import { registerCustomerMemberRoutes } from './reselling/customers/customers.member.routes.ts'
import { registerPriceMemberRoutes } from './reselling/prices/prices.member.routes.ts'
import { registerReceiptMemberRoutes } from './reselling/receipts/receipts.member.routes.ts'
import { registerTestSideRoutes, type TestSideParts } from './test-side/test-side.member.routes.ts'

/** Routes under `/app/api` about an account's orders, money and customers, for resellers' people. */
export function registerAccountMemberRoutes(
  api: Api,
  { db, secretsKeys, replica: { readDb }, ...parts }: Pick<DashboardDeps, 'db' | 'secretsKeys' | 'replica'> & TestSideParts,
): void {
  const orders = {
    db,
    products,
    formsOfRecipient: (text: string) => formsOfRecipient({ db, openSecrets: () => Promise.resolve(secretsKeys) }, text),
    readUsualWait: readUsualWait.bind(undefined, db),
    readPersonName: (personId: string) => readPersonName(db, personId),
  }
  registerHomeMemberRoutes(api, orders)
  registerOrderMemberRoutes(api, { ...orders, readDb })
  registerSpendingRoutes(api, { db, mustBeMember: (accountId, personId) => mustBeMember(db, accountId, personId) })
  registerWalletMemberRoutes(api, {
    db,
    readDb,
    nameOrders: (reading, orderIds) => nameOrders(reading, products, orderIds),
    readPendingCommission,
  })
  registerNoticeMemberRoutes(api, { db, readPhoneNumber })
  registerPriceMemberRoutes(api, { db, products })
  registerCustomerMemberRoutes(api, { db })
  registerReceiptMemberRoutes(api, { db })
  registerTestSideRoutes(api, { ...parts, db, products })
}

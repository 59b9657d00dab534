import { registerNoticeMemberRoutes } from './accounts/notices/notices.member.routes.ts'
import { registerHomeMemberRoutes } from './home.member.routes.ts'
import { registerWalletMemberRoutes } from './money/members/wallet.member.routes.ts'
import { formsOfRecipient, readPhoneNumber } from './networks/read-phone-number.ts'
import { registerOrderMemberRoutes } from './orders/members/orders.member.routes.ts'
import { nameOrders } from './orders/queries/name-orders.ts'
import type { Db } from './platform/database/database.ts'
import type { Api } from './platform/http/api.ts'
import { products } from './products/products.ts'
import { readUsualWait } from './reports/read-usual-wait.ts'

/** Registers the routes by which members read their account's orders and money, under `/app/api`. */
export function registerAccountMemberRoutes(api: Api, { db }: { readonly db: Db }): void {
  const orders = { db, products, formsOfRecipient, readUsualWait: readUsualWait.bind(undefined, db) }
  registerHomeMemberRoutes(api, orders)
  registerOrderMemberRoutes(api, orders)
  registerWalletMemberRoutes(api, { db, nameOrders: (reading, orderIds) => nameOrders(reading, products, orderIds) })
  registerNoticeMemberRoutes(api, { db, readPhoneNumber })
}

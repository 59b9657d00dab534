import { registerAccountRoutes } from './accounts/account.routes.ts'
import { registerMoneyRoutes } from './money/money.routes.ts'
import type { Intake } from './orders/intake/place-orders.ts'
import type { FindOrder } from './orders/queries/find-order.ts'
import type { Db } from './platform/database/database.ts'
import type { Epoch } from './platform/database/epoch.ts'
import type { Api } from './platform/http/api.ts'
import { registerAfaRoutes } from './products/afa/afa.routes.ts'
import type { AfaDeps } from './products/afa/register-afa.ts'
import { registerAirtimeRoutes } from './products/airtime/airtime.routes.ts'
import type { AirtimeDeps } from './products/airtime/purchase-airtime.ts'
import { registerDataRoutes } from './products/data/data.routes.ts'
import type { DataDeps } from './products/data/data-order-item.ts'
import { registerVerifyNumberRoutes } from './products/data/verify-number.routes.ts'
import type { ResultsCheckerDeps } from './products/results-checker/purchase-vouchers.ts'
import { registerResultsCheckerRoutes } from './products/results-checker/results-checker.routes.ts'
import type { SmsDeps } from './products/sms/campaigns/send-campaign.ts'
import { registerSmsRoutes } from './products/sms/sms.routes.ts'
import type { LookupDeps } from './products/utilities/look-up-bill-account.ts'
import type { PayDeps } from './products/utilities/pay-bill.ts'
import { registerUtilitiesRoutes } from './products/utilities/utilities.routes.ts'

/** What all endpoints together need; each takes its part. */
export type ApiRouteDeps = DataDeps &
  AirtimeDeps &
  ResultsCheckerDeps &
  AfaDeps &
  PayDeps &
  LookupDeps &
  SmsDeps & { readonly db: Db; readonly epoch: Epoch; readonly intake: Intake; readonly findOrder: FindOrder }

/** Every endpoint under `/api/v2`, folder by folder. */
export function registerApiRoutes(api: Api, deps: ApiRouteDeps): void {
  registerAccountRoutes(api, deps)
  registerMoneyRoutes(api, deps)
  registerDataRoutes(api, deps)
  registerVerifyNumberRoutes(api, deps)
  registerAirtimeRoutes(api, deps)
  registerResultsCheckerRoutes(api, deps)
  registerAfaRoutes(api, deps)
  registerSmsRoutes(api, deps)
  registerUtilitiesRoutes(api, deps)
}

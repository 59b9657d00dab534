import { accountsSettings } from './accounts/accounts.settings.ts'
import { moneySettings } from './money/money.settings.ts'
import { topUpSettings } from './money/top-ups/top-ups.settings.ts'
import { networksSettings } from './networks/networks.settings.ts'
import { alertSettings } from './notices/alerts.settings.ts'
import { resellerNoticeSettings } from './notices/reseller-notices.settings.ts'
import { ordersSettings } from './orders/orders.settings.ts'
import { singleOperator } from './platform/approvals/people.ts'
import { defineRateLimits, httpSettings } from './platform/http/http.settings.ts'
import { limits, type RateLimitOverrides } from './platform/http/limits/rate-limits.ts'
import type { Setting } from './platform/settings/settings.ts'
import type { Product } from './products/product.ts'
import { products } from './products/products.ts'
import { reconciliationSettings } from './reconciliation/reconciliation.settings.ts'
import { reportsSettings } from './reports/reports.settings.ts'

/** The setting of the rate limits of an installation that sells these products. */
export function rateLimitsOf(sold: readonly Product[]): Setting<RateLimitOverrides> {
  return defineRateLimits([...Object.values(limits), ...sold.flatMap((product) => Object.values(product.limits))])
}

/** The operator's own rate limits; an endpoint not named in it keeps the contract's. */
export const rateLimitsSetting = rateLimitsOf(products)

/** Every setting there is, by name. Each is defined in the folder whose code obeys it. */
export const allSettings: readonly Setting[] = [
  ...accountsSettings,
  ...moneySettings,
  ...topUpSettings,
  singleOperator,
  ...alertSettings,
  ...resellerNoticeSettings,
  ...ordersSettings,
  ...reconciliationSettings,
  ...httpSettings,
  rateLimitsSetting,
  ...networksSettings,
  ...reportsSettings,
  ...products.flatMap(({ settings }) => settings),
].toSorted((a, b) => a.name.localeCompare(b.name))

/** The setting of that name, or undefined. */
export function findSetting(name: string): Setting | undefined {
  return allSettings.find((setting) => setting.name === name)
}

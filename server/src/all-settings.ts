import { accountsSettings } from './accounts/accounts.settings.ts'
import { moneySettings } from './money/money.settings.ts'
import { networksSettings } from './networks/networks.settings.ts'
import { alertSettings } from './notices/alerts.settings.ts'
import { resellerNoticeSettings } from './notices/reseller-notices.settings.ts'
import { ordersSettings } from './orders/orders.settings.ts'
import { singleOperator } from './platform/approvals/people.ts'
import { httpSettings } from './platform/http/http.settings.ts'
import type { Setting } from './platform/settings/settings.ts'
import { products } from './products/products.ts'

/** Every setting there is, by name. Each is defined in the folder whose code obeys it. */
export const allSettings: readonly Setting[] = [
  ...accountsSettings,
  ...moneySettings,
  singleOperator,
  ...alertSettings,
  ...resellerNoticeSettings,
  ...ordersSettings,
  ...httpSettings,
  ...networksSettings,
  ...products.flatMap(({ settings }) => settings),
].toSorted((a, b) => a.name.localeCompare(b.name))

/** The setting of that name, or undefined. */
export function findSetting(name: string): Setting | undefined {
  return allSettings.find((setting) => setting.name === name)
}

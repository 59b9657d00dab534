import { accountsSettings } from './accounts/accounts.settings.ts'
import { helpSettings } from './accounts/problems/help.settings.ts'
import { archiveAfterMonths } from './archive/archive.settings.ts'
import { guardSettings } from './guards/guarded-settings.ts'
import { moneySettings } from './money/money.settings.ts'
import { topUpSettings } from './money/top-ups/top-ups.settings.ts'
import { networksSettings } from './networks/networks.settings.ts'
import { alertSettings, resellerNoticeSettings } from './notices/notices.settings.ts'
import { ordersSettings } from './orders/orders.settings.ts'
import { lostFactorWaitHours } from './people/lost-factor/lost-factor.settings.ts'
import { signInTexts } from './people/phone/phone.settings.ts'
import { singleOperator } from './platform/approvals/two-people.ts'
import { defineRateLimits, httpSettings } from './platform/http/http.settings.ts'
import { limits, type RateLimitOverrides } from './platform/http/limits/endpoint-limits.ts'
import { backupAlarmHours, forgettingSettings, replicaDelaySeconds } from './platform/platform.settings.ts'
import type { Setting } from './platform/settings/settings.ts'
import type { Product } from './products/product.ts'
import { products } from './products/products.ts'
import { reconciliationSettings } from './reconciliation/reconciliation.settings.ts'
import { reportsSettings } from './reports/reports.settings.ts'

export function rateLimitsOf(sold: readonly Product[]): Setting<RateLimitOverrides> {
  return defineRateLimits([...Object.values(limits), ...sold.flatMap((product) => Object.values(product.limits))])
}

/** The operator's own rate limits. Endpoints that the setting does not name keep the contract's limits. */
export const rateLimitsSetting = rateLimitsOf(products)

/** Settings that an operator looks for together. */
export type SettingGroup = { readonly title: string; readonly settings: readonly Setting[] }

const isFeature = ({ name }: Setting) => name.endsWith('_enabled')
const isBiller = ({ name }: Setting) => name.startsWith('biller_enabled.')
const isOfRegistration = ({ name }: Setting) => /^(whitelist_gate|registration_|queued_deadline)/.test(name)

/** True for a setting with the time after which personal data is forgotten. */
const isTimeToForget = ({ name }: Setting) =>
  /^(afa_identity|evidence|notice|number|problem|request_log|sign_in_address|sms_text)_(days|months)$/.test(name)

const productSettings = products.flatMap(({ settings }) => settings)

/** The groups whose settings change most often come first. Each setting is defined in the folder whose code uses it. */
const featureGroups: readonly SettingGroup[] = [
  { title: 'What is sold', settings: productSettings.filter(isFeature) },
  { title: 'Billers', settings: productSettings.filter(isBiller) },
  { title: 'Registration of MTN numbers', settings: productSettings.filter(isOfRegistration) },
  ...products.map(({ title, settings }) => ({
    title,
    settings: settings.filter((setting) => ![isFeature, isBiller, isOfRegistration].some((is) => is(setting))),
  })),
  { title: 'Orders', settings: [...ordersSettings, ...networksSettings] },
  { title: 'Top-ups', settings: topUpSettings },
  { title: 'Money by one person', settings: [...moneySettings, singleOperator] },
  { title: 'Resellers and their programs', settings: [...accountsSettings, rateLimitsSetting, ...httpSettings] },
  { title: 'Help for resellers', settings: helpSettings },
  { title: 'How resellers sign in', settings: [lostFactorWaitHours, signInTexts] },
  { title: 'Alarms and notices', settings: [...alertSettings, ...resellerNoticeSettings] },
  { title: 'Reports and reconciliation', settings: [...reportsSettings, ...reconciliationSettings] },
]

const withoutTimes = featureGroups.map(({ title, settings }) => ({
  title,
  settings: settings.filter((setting) => !isTimeToForget(setting)),
}))
const timesToForget = [...featureGroups.flatMap(({ settings }) => settings), ...forgettingSettings].filter(isTimeToForget)

export const settingGroups: readonly SettingGroup[] = [
  ...withoutTimes,
  { title: 'Forgetting personal data', settings: timesToForget },
  { title: 'Putting old months away', settings: [archiveAfterMonths] },
  { title: 'Backups and the read replica', settings: [backupAlarmHours, replicaDelaySeconds] },
].filter(({ settings }) => settings.length > 0)

export const allSettings: readonly Setting[] = settingGroups
  .flatMap(({ settings }) => settings)
  .toSorted((a, b) => a.name.localeCompare(b.name))

export function findSetting(name: string): Setting | undefined {
  return allSettings.find((setting) => setting.name === name)
}

/** All changes of settings by people go through this. */
export const guardedSettings = guardSettings(findSetting)

import Type from 'typebox'
import type { RateLimit } from '../../platform/http/limits/endpoint-limits.ts'
import { refusals } from '../../platform/http/refusals.ts'
import { defineSwitch } from '../../platform/settings/setting-schemas.ts'
import { defineSetting } from '../../platform/settings/settings.ts'

/** Off: new purchases of vouchers answer 503 (decision S9c). */
export const resultsCheckerEnabled = defineSwitch(
  'results_checker_enabled',
  true,
  'Whether results-checker vouchers are sold. While it is off, purchases are refused and charge nothing.',
)

export const vouchersSwitchedOff = refusals.featureDisabled('The sale of results-checker vouchers')

/** The most vouchers of one purchase; null: only the stock limits it (decision N3c). */
export const resultsCheckerMaxQuantity = defineSetting({
  name: 'results_checker_max_quantity',
  schema: Type.Union([Type.Integer({ minimum: 1, maximum: 1_000_000 }), Type.Null()]),
  defaultValue: null,
  allowed: 'a whole number from 1 to 1000000, or null for no bound but the stock',
  help: 'The most vouchers of one purchase. Without a number, only the stock bounds it.',
  unit: 'vouchers',
})

export const resultsCheckerSettings = [resultsCheckerEnabled, resultsCheckerMaxQuantity]

/** The limits per key (contract, Limits). The operator may set other numbers. */
export const voucherLimits = {
  types: { name: 'GET /resultschecker/types', perMinute: 30 },
  purchase: { name: 'POST /resultschecker/purchase', perMinute: 10 },
  orders: { name: 'GET /resultschecker/orders', perMinute: 30 },
  order: { name: 'GET /resultschecker/orders/{reference}', perMinute: 30 },
} as const satisfies Record<string, RateLimit>

import type { RateLimit } from '../../platform/http/limits/endpoint-limits.ts'
import { refusals } from '../../platform/http/refusals.ts'
import { defineGhsBounds, defineSwitch } from '../../platform/settings/setting-schemas.ts'

/** Off: look-ups and new payments of every biller answer 503 (decision S9c). */
export const utilitiesEnabled = defineSwitch(
  'utilities_enabled',
  true,
  'Whether utility bills are paid. While it is off, purchases are refused and charge nothing.',
)

export const billsSwitchedOff = refusals.featureDisabled('The payment of utility bills')

/** Off: the biller stays listed with `enabled: false`, its look-ups and new payments answer 503. */
export const billerEnabled = {
  ecg: billerSwitch('ecg', 'ECG'),
  ghana_water: billerSwitch('ghana_water', 'Ghana Water'),
  dstv: billerSwitch('dstv', 'DStv'),
  gotv: billerSwitch('gotv', 'GOtv'),
  startimes: billerSwitch('startimes', 'StarTimes'),
} as const

function billerSwitch(biller: string, name: string) {
  return defineSwitch(
    `biller_enabled.${biller}`,
    true,
    `Whether bills of ${name} are paid. While it is off, purchases are refused and charge nothing.`,
  )
}

/** The bounds of a payment, as GET /utilities/billers shows them (contract, Utilities, 1). */
const amountBounds = defineGhsBounds(
  ['utilities_min_amount', 1, 'The least amount of a bill payment, in GHS.'],
  ['utilities_max_amount', 1000, 'The most amount of a bill payment, in GHS.'],
)
export const utilitiesMinAmount = amountBounds.minimum
export const utilitiesMaxAmount = amountBounds.maximum

export const utilitiesSettings = [utilitiesEnabled, ...Object.values(billerEnabled), utilitiesMinAmount, utilitiesMaxAmount]

/** The contract's limits per key. The operator may set other numbers. */
export const billLimits = {
  billers: { name: 'GET /utilities/billers', perMinute: 30 },
  lookup: { name: 'GET /utilities/lookup', perMinute: 10 },
  pay: { name: 'POST /utilities/pay', perMinute: 6 },
  order: { name: 'GET /utilities/orders/{reference}', perMinute: 30 },
} as const satisfies Record<string, RateLimit>

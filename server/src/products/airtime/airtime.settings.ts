import type { RateLimit } from '../../platform/http/limits/endpoint-limits.ts'
import { refusals } from '../../platform/http/refusals.ts'
import { defineGhsBounds, defineSwitch } from '../../platform/settings/setting-schemas.ts'

/** Off: new purchases of airtime answer 503 (decision S9c). */
export const airtimeEnabled = defineSwitch(
  'airtime_enabled',
  true,
  'Whether airtime is sold. While it is off, purchases are refused and charge nothing.',
)

export const airtimeSwitchedOff = refusals.featureDisabled('The sale of airtime')

/** The smallest and largest purchase of airtime, per network (decision N8: airtime lies between the bounds of its network). */
export const airtimeBounds = {
  MTN: boundsOf('MTN'),
  Telecel: boundsOf('Telecel'),
  AT: boundsOf('AT'),
} as const

function boundsOf(network: string) {
  return defineGhsBounds(
    [`airtime_min.${network}`, 1, `The least ${network} airtime of one purchase, in GHS.`],
    [`airtime_max.${network}`, 100, `The most ${network} airtime of one purchase, in GHS.`],
  )
}

export const airtimeSettings = [
  airtimeEnabled,
  ...Object.values(airtimeBounds).flatMap((bounds) => [bounds.minimum, bounds.maximum]),
]

/** The limits per key (contract, Limits). The operator may set other numbers. */
export const airtimeLimits = {
  purchase: { name: 'POST /airtime/purchase', perMinute: 10 },
  orders: { name: 'GET /airtime/orders', perMinute: 30 },
  order: { name: 'GET /airtime/orders/{reference}', perMinute: 30 },
} as const satisfies Record<string, RateLimit>

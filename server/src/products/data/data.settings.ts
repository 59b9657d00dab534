import Type from 'typebox'
import type { RateLimit } from '../../platform/http/limits/endpoint-limits.ts'
import { refusals } from '../../platform/http/refusals.ts'
import { defineCount, defineSwitch } from '../../platform/settings/setting-schemas.ts'
import { defineSetting } from '../../platform/settings/settings.ts'

/** Off: new purchases of data bundles and the checks of numbers answer 503 (decision S9c). */
export const dataEnabled = defineSwitch(
  'data_enabled',
  true,
  'Whether data bundles are sold. While it is off, purchases are refused and charge nothing.',
)

export const dataSwitchedOff = refusals.featureDisabled('The sale of data bundles')

/** Off: a failed data order waits for a person to refund it (decision S2). */
export const dataAutoRefund = defineSwitch(
  'data_auto_refund',
  true,
  'Whether a data order that failed is refunded by itself; false leaves the refund to a person.',
)

/** On: an order for an unregistered MTN number is refused, or left out of its batch, instead of waiting (decision N5). */
export const whitelistGate = defineSwitch(
  'whitelist_gate',
  false,
  'Whether an MTN number that is not registered yet is refused (409) instead of held until it is.',
)

/** The registration servers whose answers count (decision N7). */
export const registrationServers = defineSetting({
  name: 'registration_servers',
  schema: Type.Array(Type.Union([Type.Literal(1), Type.Literal(2)]), { minItems: 1, maxItems: 2, uniqueItems: true }),
  defaultValue: [1, 2],
  allowed: '[1], [2] or [1,2]',
  help: 'Which registration servers are accepted for MTN numbers.',
})

/** The suppliers that run the registration servers: the first name is server 1, the second server 2. */
export const registrationSuppliers = defineSetting({
  name: 'registration_suppliers',
  schema: Type.Array(Type.String({ minLength: 1 }), { minItems: 2, maxItems: 2 }),
  defaultValue: ['registration-1', 'registration-2'],
  allowed: 'a list of two names of suppliers',
  help: 'Which suppliers keep registration server 1 and server 2.',
})

/**
 * After this many days an order that waits for its number's registration fails, and is refunded like any failed data order
 * (decision N4b).
 */
export const queuedDeadlineDays = defineCount(
  'queued_deadline_days',
  { least: 1, most: 365, unit: 'days' },
  7,
  'Days after which a queued order whose number never registers fails and is refunded.',
)

export const dataSettings = [
  dataEnabled,
  dataAutoRefund,
  whitelistGate,
  registrationServers,
  registrationSuppliers,
  queuedDeadlineDays,
]

/** The limits per key (contract, Limits). The operator may set other numbers. */
export const dataLimits = {
  packages: { name: 'GET /packages' },
  purchase: { name: 'POST /data/purchase' },
  bulk: { name: 'POST /data/bulk' },
  /** One limit for all three checks: of the accepted servers together, of server 1 alone, and of server 2 alone. */
  verifyNumber: { name: 'POST /data/verify-number', perMinute: 20 },
  order: { name: 'GET /orders/{reference}' },
} as const satisfies Record<string, RateLimit>

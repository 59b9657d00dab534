import type { RateLimit } from '../../platform/http/limits/endpoint-limits.ts'
import { refusals } from '../../platform/http/refusals.ts'
import { defineCount, defineGhsAmount, defineSwitch } from '../../platform/settings/setting-schemas.ts'

/** Off: registrations answer 503 (decision S9c). */
export const afaEnabled = defineSwitch(
  'afa_enabled',
  true,
  'Whether AFA registrations are taken. While it is off, purchases are refused and charge nothing.',
)

export const afaSwitchedOff = refusals.featureDisabled('AFA registration')

/** On: the fee of a cancelled registration is credited back (decision S3). */
export const afaRefundOnCancel = defineSwitch(
  'afa_refund_on_cancel',
  true,
  'Whether the fee of a cancelled AFA registration is credited back.',
)

export const afaFees = {
  customer: defineGhsAmount('afa_fee.customer', 15, 'The fee of an AFA registration for customers, in GHS.'),
  agent: defineGhsAmount('afa_fee.agent', 12, 'The fee of an AFA registration for agents, in GHS.'),
  dealer: defineGhsAmount('afa_fee.dealer', 10, 'The fee of an AFA registration for dealers, in GHS.'),
} as const

/** After this many days the identity data of an ended registration is deleted; the order stays. */
export const afaIdentityDays = defineCount(
  'afa_identity_days',
  { least: 1, most: 3_650, unit: 'days' },
  30,
  'Days after its end at which the identity data of an AFA registration is deleted.',
)

export const afaSettings = [afaEnabled, afaRefundOnCancel, ...Object.values(afaFees), afaIdentityDays]

/** The limits per key (contract, Limits). The operator may set other numbers. */
export const afaLimits = {
  register: { name: 'POST /afa/register', perMinute: 10 },
  orders: { name: 'GET /afa/orders', perMinute: 30 },
  order: { name: 'GET /afa/orders/{reference}', perMinute: 30 },
} as const satisfies Record<string, RateLimit>

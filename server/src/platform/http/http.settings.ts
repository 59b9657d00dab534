import Type from 'typebox'
import { defineSetting } from '../settings/settings.ts'
import { limits, type RateLimitOverrides } from './limits/rate-limits.ts'

const requestsPerMinute = Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 }))

const schema = Type.Unsafe<RateLimitOverrides>(
  Type.Object(Object.fromEntries(Object.values(limits).map((limit) => [limit.name, requestsPerMinute])), {
    additionalProperties: false,
  }),
)

/** The operator's own rate limits; an endpoint not named here keeps the contract's. */
export const rateLimitsSetting = defineSetting({
  name: 'rate_limits',
  schema,
  defaultValue: {},
  allowed: `a JSON object of endpoint to whole requests per minute from 1, such as {"${limits.dataPurchase.name}": 600}; the endpoints are ${Object.values(
    limits,
  )
    .map((limit) => limit.name)
    .join(', ')}`,
  help: 'Requests per key and minute for each endpoint, in place of the published limits.',
})

/** The address to which anybody may report a weakness (RFC 9116). */
export const securityContactSetting = defineSetting({
  name: 'security_contact',
  schema: Type.String({ maxLength: 300, pattern: '^$|^mailto:[^\\s@]+@[^\\s@]+$|^https://[^\\s]+$|^tel:\\+[0-9-]{6,20}$' }),
  defaultValue: '',
  allowed: 'an address that starts with mailto:, https:// or tel:+, or an empty text for none',
  help: 'Where weaknesses are reported; shown in /.well-known/security.txt.',
})

export const httpSettings = [rateLimitsSetting, securityContactSetting]

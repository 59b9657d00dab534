import Type from 'typebox'
import { defineSetting, type Setting } from '../settings/settings.ts'
import type { RateLimit, RateLimitOverrides } from './limits/endpoint-limits.ts'

const requestsPerMinute = Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 }))

/** The operator's own rate limits. An endpoint that is not named keeps the published limit. */
export function defineRateLimits(limits: readonly RateLimit[]): Setting<RateLimitOverrides> {
  const names = limits.map(({ name }) => name)
  const schema = Type.Unsafe<RateLimitOverrides>(
    Type.Object(Object.fromEntries(names.map((name) => [name, requestsPerMinute])), { additionalProperties: false }),
  )
  return defineSetting({
    name: 'rate_limits',
    schema,
    defaultValue: {},
    allowed: `a JSON object of endpoint to whole requests per minute from 1, such as {"${names[0]}": 600}; the endpoints are ${names.join(', ')}`,
    help: 'Requests per key and minute for each endpoint, in place of the published limits.',
  })
}

/** Anybody may report a weakness to this address (RFC 9116). */
export const securityContactSetting = defineSetting({
  name: 'security_contact',
  schema: Type.String({ maxLength: 300, pattern: '^$|^mailto:[^\\s@]+@[^\\s@]+$|^https://[^\\s]+$|^tel:\\+[0-9-]{6,20}$' }),
  defaultValue: '',
  allowed: 'an address that starts with mailto:, https:// or tel:+, or an empty text for none',
  help: 'Where weaknesses are reported; shown in /.well-known/security.txt.',
})

/** The setting of the rate limits depends on the products: see `rateLimitsOf` in `all-settings.ts`. */
export const httpSettings = [securityContactSetting]

import { defineChoice } from '../platform/settings/setting-schemas.ts'

/**
 * Says what happens to a number whose prefix belongs to another network than the requested one, in every product that
 * is sold by number (decision N1).
 */
export const prefixCheck = defineChoice(
  'prefix_check',
  ['enforce', 'hint'],
  'enforce',
  'Whether a number of another network is refused (enforce) or left to the supplier to decide (hint).',
)

export const networksSettings = [prefixCheck]

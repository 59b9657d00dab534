import { defineChoice } from '../../platform/settings/setting-schemas.ts'

/** Chooses the calls that are kept for the keys' owners. */
export const requestLogScope = defineChoice(
  'request_log',
  ['all', 'refused', 'off'],
  'all',
  'Which calls with a key are kept for 30 days for the owner of the key: all, only the refused ones, or none.',
)

export function isKept(scope: 'all' | 'refused' | 'off', status: number): boolean {
  return scope === 'all' || (scope === 'refused' && status >= 400)
}

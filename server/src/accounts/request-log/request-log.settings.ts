import { defineChoice, defineCount } from '../../platform/settings/setting-schemas.ts'

/** Chooses the calls that are kept for the keys' owners. */
export const requestLogScope = defineChoice(
  'request_log',
  ['all', 'refused', 'off'],
  'all',
  'Which calls with a key are kept for some days for the owner of the key: all, only the refused ones, or none.',
)

export const requestLogDays = defineCount(
  'request_log_days',
  { least: 1, most: 365, unit: 'days' },
  14,
  'Days after which calls with a key are deleted from the request log.',
)

export function isKept(scope: 'all' | 'refused' | 'off', status: number): boolean {
  return scope === 'all' || (scope === 'refused' && status >= 400)
}

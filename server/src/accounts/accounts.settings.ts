import Type from 'typebox'
import { defineChoice, defineCount } from '../platform/settings/setting-schemas.ts'
import { defineSetting } from '../platform/settings/settings.ts'
import type { Role } from './caller.ts'

/** The roles whose keys may use the API; others are answered 403. An expired role counts like a valid one (decision S9b). */
export const apiRoles = defineSetting({
  name: 'api_roles',
  schema: Type.Array(Type.Unsafe<Role>({ type: 'string', enum: ['customer', 'agent', 'dealer'] }), {
    minItems: 1,
    uniqueItems: true,
  }),
  defaultValue: ['customer', 'agent', 'dealer'],
  allowed: 'a list of roles out of customer, agent and dealer, such as ["agent","dealer"]',
  help: 'Which roles may call the API; the others answer 403.',
})

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

export function isCallLogged(scope: 'all' | 'refused' | 'off', status: number): boolean {
  return scope === 'all' || (scope === 'refused' && status >= 400)
}

export const accountsSettings = [apiRoles, requestLogScope, requestLogDays]

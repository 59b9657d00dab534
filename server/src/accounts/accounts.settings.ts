import Type from 'typebox'
import { defineSetting } from '../platform/settings/settings.ts'
import type { Role } from './caller.ts'
import { requestLogDays, requestLogScope } from './request-log/request-log.settings.ts'

/** The roles whose keys may use the API; others are answered 403. An expired role keeps its name here (decision S9b). */
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

export const accountsSettings = [apiRoles, requestLogScope, requestLogDays]

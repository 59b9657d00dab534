import type { Epoch } from '../platform/database/epoch.ts'
import { Envelope, ok } from '../platform/http/envelope.ts'
import { limits } from '../platform/http/limits/endpoint-limits.ts'
import type { Api } from '../platform/http/route-types.ts'
import { AccountRoleData } from './account.schemas.ts'
import { findAccountRole } from './find-account-role.ts'

export function registerAccountRoutes(api: Api, deps: { epoch: Pick<Epoch, 'databaseNow'> }): void {
  api.get(
    '/account/role',
    {
      config: { keyType: 'standard', limit: limits.accountRole },
      schema: {
        operationId: 'readAccountRole',
        summary: 'Show the role of the account, and until when it lasts',
        tags: ['Account'],
        response: { 200: Envelope(AccountRoleData) },
      },
    },
    async (request) => ok(findAccountRole(request.caller, deps.epoch.databaseNow())),
  )
}

import Type from 'typebox'
import type { Epoch } from '../platform/database/epoch.ts'
import { Envelope, ok } from '../platform/http/envelope.ts'
import { limits } from '../platform/http/limits/endpoint-limits.ts'
import type { Api } from '../platform/http/route-types.ts'
import { Moment, Nullable } from '../platform/http/schemas.ts'
import { findAccountRole } from './find-account-role.ts'

/** `data` of GET /account/role (contract, Account role). */
const AccountRoleData = Type.Object(
  {
    role: Type.String({ description: 'The role by name: customer, agent or dealer. It keeps its name after it has expired.' }),
    is_active: Type.Boolean({
      description: 'False from the moment `expires_at` passes; from then on every price is a customer’s.',
    }),
    is_permanent: Type.Boolean({ description: 'True for a lifetime role and for a plain customer.' }),
    expires_at: Nullable(Moment({ description: 'When the role ends; null when it does not.' })),
    days_remaining: Nullable(
      Type.Integer({
        minimum: 0,
        description: 'Days until the role ends, rounded up; 0 once passed; null when it does not end.',
      }),
    ),
  },
  { title: 'AccountRole' },
)

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

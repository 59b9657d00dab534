import type { AccountOrderDeps } from '../../orders/members/list-account-orders.ts'
import type { Api } from '../../platform/http/api.ts'
import { Envelope, ok } from '../../platform/http/envelope.ts'
import { Home } from './home.schemas.ts'
import { readHome } from './read-home.ts'

/** The first screen of an account's people. */
export function registerHomeMemberRoutes(api: Api, deps: AccountOrderDeps): void {
  api.get(
    '/home',
    {
      config: { permission: 'look' },
      schema: {
        operationId: 'readHome',
        tags: ['Home'],
        summary: 'Everything that the first screen shows',
        response: { 200: Envelope(Home) },
      },
    },
    async ({ membership }) => ok(await readHome(deps, membership.accountId)),
  )
}

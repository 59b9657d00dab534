import Type from 'typebox'
import type { AccountOrderDeps } from './orders/members/list-account-orders.ts'
import { hasOrdered } from './orders/queries/list-newest-orders.ts'
import { readSetUp } from './people/set-up/read-set-up.ts'
import { SetUp } from './people/set-up/set-up.member.routes.ts'
import { Envelope, ok } from './platform/http/envelope.ts'
import type { Api } from './platform/http/route-types.ts'
import { HomeFigures } from './reports/home/home.schemas.ts'
import { readHome } from './reports/home/read-home.ts'
import { LatestSale } from './reselling/customers/customer.schemas.ts'
import { listLatestSales } from './reselling/customers/customers.ts'

const Home = Type.Object(
  {
    ...HomeFigures.properties,
    setUp: SetUp,
    again: Type.Array(LatestSale, { description: 'Numbers to buy for again: favourite customers first, then the newest.' }),
  },
  { title: 'Home' },
)

const againShown = 4

/**
 * Registers the route of the first screen of an account's people. It gives everything in one answer, because on slow mobile
 * data every request takes long. The data comes from several folders, so the route is in the folder above them.
 */
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
    async ({ person: { personId }, membership: { accountId } }) => {
      // Only goods that a supplier delivers are bought again for the same number.
      const kinds = deps.products.flatMap(({ name, fulfilledBy }) => (fulfilledBy === 'suppliers' ? name : []))
      const [figures, setUp, again] = await Promise.all([
        readHome(deps, accountId),
        readSetUp({ db: deps.db, hasOrdered }, { personId, accountId }),
        listLatestSales(deps.db, accountId, { kinds, limit: againShown }),
      ])
      return ok({ ...figures, setUp, again: [...again] })
    },
  )
}

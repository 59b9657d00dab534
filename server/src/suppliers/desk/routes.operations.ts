import Type, { type Static } from 'typebox'
import type { Db } from '../../platform/database/database.ts'
import { RefusalError, refusals } from '../../platform/http/refusals.ts'
import { Nullable, OneOf } from '../../platform/http/schemas.ts'
import { Timestamp, WithOptionName, WithWireName } from '../../platform/operations/fields.ts'
import { type Given, operation } from '../../platform/operations/operation.ts'
import { parseRouteName, type Route, type RouteParts, routeName } from '../route-ports.ts'
import { type RouteSelection, readRoutes } from '../routes/read-routes.ts'
import { addRoute, pauseRoutesByHand, resumeRoutesByHand } from '../routes/write-route.ts'
import { type CountOrders, DeskRoute, listDeskRoutes, listRouteNetworks } from './list-routes.ts'
import { Reason } from './suppliers.schemas.ts'

const PrintedRoutes = Type.Object({
  routes: Type.Array(
    Type.Object({
      name: WithWireName('route', Type.String()),
      supplier: Type.String(),
      product: Type.String(),
      network: Type.String(),
      priority: Type.Integer(),
      isSupplierEnabled: WithWireName('supplier_enabled', Type.Boolean()),
      state: OneOf(['open', 'paused']),
      reason: Nullable(Type.String()),
      until: Nullable(Timestamp()),
    }),
  ),
})

const printedRoute = ({ health, ...route }: Route) => ({ reason: null, until: null, ...route, ...health })

function describeRoute({ name, priority, isSupplierEnabled, ...route }: ReturnType<typeof printedRoute>): string {
  const until = route.until === null ? 'until it is resumed' : `until ${route.until.toISOString()} at least`
  const state = route.state === 'open' ? 'open' : `paused (${route.reason}) ${until}`
  return `${name}  priority ${priority}  ${state}${isSupplierEnabled ? '' : ', but its supplier is disabled'}`
}

/** Reads the routes of these names, or all. */
async function readPrinted(db: Db, names?: readonly string[]) {
  const routes = await readRoutes(db)
  return { routes: routes.filter(({ name }) => names === undefined || names.includes(name)).map(printedRoute) }
}

const printing = {
  output: PrintedRoutes,
  text: ({ routes }: Awaited<ReturnType<typeof readPrinted>>) =>
    routes.map(describeRoute).join('\n') || 'There is no route yet. Add one with `makola route add`.',
} as const

function selectionOf(text: string): RouteSelection {
  const [supplier, product, network, ...rest] = text.split('/')
  if (supplier && product !== '' && network !== '' && rest.length === 0) {
    return { supplier, ...(product !== undefined && { product }), ...(network !== undefined && { network }) }
  }
  const message = 'It must be SUPPLIER, SUPPLIER/PRODUCT or SUPPLIER/PRODUCT/NETWORK, such as datamart/data/MTN.'
  throw new RefusalError(refusals.invalidRequest(message))
}

function partsOf(text: string): RouteParts {
  const route = parseRouteName(text)
  if (route) return route
  throw new RefusalError(refusals.invalidRequest('It must be SUPPLIER/PRODUCT/NETWORK, such as datamart/data/MTN.'))
}

const selected = Type.String({ description: 'one route, or SUPPLIER or SUPPLIER/PRODUCT for all of them' })

export const routeCommands = [
  operation({
    ...printing,
    command: 'route list',
    summary: 'List the routes, best first',
    input: Type.Object({}),
    act: ({ db }) => readPrinted(db),
  }),
  operation({
    ...printing,
    command: 'route pause <route>',
    example: 'makola route pause datamart/data/MTN --reason "prices changed" --for 30',
    summary: 'Send nothing new on routes; orders choose another route or wait',
    input: Type.Object({
      route: selected,
      reason: Type.Optional(Type.String({ description: 'why, for whoever reads the list' })),
      minutes: Type.Optional(
        WithOptionName('for', Type.Integer({ minimum: 1, maximum: 999_999, description: 'open again after so many minutes' })),
      ),
    }),
    async act({ db }, { actor }, { route, reason = '', minutes }) {
      const pause = { reason, seconds: minutes === undefined ? null : minutes * 60 }
      return readPrinted(db, await pauseRoutesByHand(db, selectionOf(route), pause, actor))
    },
  }),
  operation({
    ...printing,
    command: 'route resume <route>',
    summary: 'Open paused routes',
    input: Type.Object({ route: selected }),
    act: async ({ db }, { actor }, { route }) => readPrinted(db, await resumeRoutesByHand(db, selectionOf(route), actor)),
  }),
  operation({
    ...printing,
    command: 'route add <route>',
    example: 'makola route add datamart/data/Telecel --priority 10',
    summary: 'Add a route, or change the priority of one',
    input: Type.Object({
      route: Type.String({ description: 'SUPPLIER/PRODUCT/NETWORK' }),
      priority: Type.Integer({ minimum: 0, maximum: 999_999, default: 100, description: 'the lowest is asked first' }),
    }),
    async act({ db }, { actor }, { route, priority }) {
      await addRoute(db, partsOf(route), priority, actor)
      return readPrinted(db, [route])
    },
  }),
]

const Part = (description: string) => Type.String({ minLength: 1, maxLength: 100, description })

const supplier = Part('Its supplier.')
const product = Part('Its product, such as `data`.')
const network = Part('Its network, or the biller, such as `MTN`.')

/** All routes of a supplier, those of one product, or a single one. */
const selection = { supplier, product: Type.Optional(product), network: Type.Optional(network) }

const checkSelection = (asked: RouteSelection) =>
  asked.product === undefined && asked.network !== undefined ? 'A network needs its product.' : undefined

const RouteForesightView = Type.Object(
  {
    routes: Type.Array(Type.String()),
    waiting: Type.Array(
      Type.Object({
        supplier: Nullable(Type.String({ description: 'Who gets them then; null: they wait on.' })),
        orders: Type.Integer(),
      }),
      { description: 'Orders that were not sent yet.' },
    ),
    isPartial: Type.Boolean({ description: 'More orders wait than were looked at.' }),
    sent: Type.Integer({ description: 'Orders that were sent: they are asked about as before.' }),
    newOrders: Type.Array(
      Type.Object({
        product: Type.String(),
        network: Type.String(),
        supplier: Nullable(Type.String({ description: 'Where new orders start then; null: they wait.' })),
      }),
    ),
  },
  { title: 'RouteForesightView' },
)

/** Functions that know orders are passed in, because this folder may not import orders. */
export type RouteDeskDeps = {
  readonly countOrders: CountOrders
  readonly foresee: (selection: RouteSelection, change: 'pause' | 'resume') => Promise<Given<Static<typeof RouteForesightView>>>
}

const reading = { tag: 'Suppliers', permission: 'see' } as const

const routeReads = ({ countOrders, foresee }: RouteDeskDeps) => [
  operation({
    ...reading,
    route: 'GET /routes',
    operationId: 'deskListRoutes',
    summary: 'The routes, best first, with the orders that wait on each',
    input: Type.Object({ supplier: Type.Optional(supplier) }),
    output: Type.Object(
      {
        routes: Type.Array(DeskRoute),
        networks: Type.Array(Type.Object({ product: Type.String(), network: Type.String() }), {
          description: 'Where a route may lead.',
        }),
      },
      { title: 'DeskRouteList' },
    ),
    async act({ db }, _actor, asked) {
      const [routes, networks] = await Promise.all([listDeskRoutes(db, countOrders, asked.supplier), listRouteNetworks(db)])
      return { routes, networks }
    },
  }),
  operation({
    ...reading,
    route: 'GET /routes/foresight',
    operationId: 'deskForeseeRouteChange',
    summary: 'What a pause or a resumption would do to the orders that wait',
    input: Type.Object({ ...selection, change: OneOf(['pause', 'resume']) }),
    output: RouteForesightView,
    check: checkSelection,
    act: (_deps, _actor, { change, ...asked }) => foresee(asked, change),
  }),
]

const changing = {
  tag: 'Suppliers',
  permission: 'manage_suppliers',
  refusals: [409],
  output: Type.Object({ routes: Type.Array(Type.String()) }, { title: 'RoutesChanged' }),
} as const

const closed = { additionalProperties: false } as const

const routeChanges = [
  operation({
    ...changing,
    route: 'POST /routes',
    operationId: 'deskSetRoute',
    isConfirmationNeeded: true,
    summary: 'Add a route, or give one another priority',
    input: Type.Object(
      {
        supplier,
        product,
        network,
        priority: Type.Integer({ minimum: 0, maximum: 999_999, description: 'The lowest is asked first.' }),
        reason: Reason,
      },
      closed,
    ),
    async act({ db }, { actor }, { priority, reason, ...route }) {
      await addRoute(db, route, priority, actor, reason)
      return { routes: [routeName(route)] }
    },
  }),
  operation({
    ...changing,
    route: 'POST /routes/pause',
    operationId: 'deskPauseRoutes',
    summary: 'Send nothing new on routes: orders go on with another supplier, or wait',
    input: Type.Object(
      {
        ...selection,
        reason: Reason,
        minutes: Type.Optional(
          Type.Integer({ minimum: 1, maximum: 999_999, description: 'Open again after so long; left out: stays.' }),
        ),
      },
      closed,
    ),
    check: checkSelection,
    async act({ db }, { actor }, { reason, minutes, ...asked }) {
      const pause = { reason, seconds: minutes === undefined ? null : minutes * 60 }
      return { routes: await pauseRoutesByHand(db, asked, pause, actor) }
    },
  }),
  operation({
    ...changing,
    route: 'POST /routes/resume',
    operationId: 'deskResumeRoutes',
    summary: 'Open paused routes',
    input: Type.Object({ ...selection, reason: Type.Optional(Reason) }, closed),
    check: checkSelection,
    act: async ({ db }, { actor }, { reason, ...asked }) => ({
      routes: await resumeRoutesByHand(db, asked, actor, reason),
    }),
  }),
]

export const routeOperations = (deps: RouteDeskDeps) => [...routeReads(deps), ...routeChanges]

import { sql } from 'kysely'
import Type from 'typebox'
import { ghs, pesewas } from '../money/pesewas.ts'
import { createDetailsReader } from '../orders/create-details-reader.ts'
import type { Fulfilment } from '../orders/fulfilment.ts'
import { hashRequest, placeOrders } from '../orders/intake/place-orders.ts'
import type { OrderKind } from '../orders/order-kind.ts'
import { listSuppliersByRoutes } from '../orders/queries/list-suppliers-by-routes.ts'
import { newId } from '../platform/database/new-id.ts'
import { Envelope, ok } from '../platform/http/envelope.ts'
import type { RateLimit } from '../platform/http/limits/endpoint-limits.ts'
import { type Refusal, RefusalError, type Refusals, refusals, refuse } from '../platform/http/refusals.ts'
import type { Api } from '../platform/http/route-types.ts'
import { defineSwitch } from '../platform/settings/setting-schemas.ts'
import type { OrderFunctions, Product, ProductApiDeps } from './product.ts'

/** Off: sales of toys answer 503. */
export const toyEnabled = defineSwitch(
  'toy_enabled',
  true,
  'Whether toys are sold. While it is off, purchases are refused and charge nothing.',
)

const toyLimits = {
  purchase: { name: 'POST /toys/purchase', perMinute: 600 },
  order: { name: 'GET /toys/orders/{reference}' },
} as const satisfies Record<string, RateLimit>

const toyRefusals = {
  colourUnknown: refuse(404, 'colour_unknown', 'No toy of this colour is made. This try charged nothing.'),
} as const satisfies Refusals

const toyPricePesewas = pesewas(150)

type ToyRequest = { readonly colour: string; readonly route: string | undefined; readonly refusalIfNew: Refusal | undefined }

const ToyBody = Type.Object(
  { colour: Type.String({ minLength: 1 }), reference: Type.String({ minLength: 3 }) },
  { title: 'ToyBody' },
)
const Toy = Type.Object(
  { order_id: Type.String(), status: Type.String(), new_balance: Type.Number(), is_replay: Type.Boolean() },
  { title: 'Toy' },
)
const ToyParams = Type.Object({ reference: Type.String() }, { title: 'ToyParams' })
const ToyOrder = Type.Object({ order_id: Type.String(), status: Type.String() }, { title: 'ToyOrder' })

const readToyDetails = createDetailsReader('toy', Type.Object({ colour: Type.String() }))

const toyKind: OrderKind<ToyRequest, undefined> = {
  name: 'toy',
  unit: 'pesewas',
  insufficientFunds: refusals.insufficientFunds,
  read: () => Promise.resolve(undefined),
  decide({ request: { colour, route, refusalIfNew } }) {
    if (refusalIfNew) return { refusal: refusalIfNew }
    if (colour === 'ultraviolet') return { refusal: toyRefusals.colourUnknown }
    if (route === undefined) return { refusal: refusals.networkUnavailable('toys') }
    return { status: 'pending', price: toyPricePesewas, recipient: '0241234567', route, details: { colour } }
  },
  fork: (read) => read,
  take: () => undefined,
  write: () => Promise.resolve(),
}

/** The toy's colour decides the answer: red toys fail, all others are delivered. */
const toyFulfilment: Fulfilment = {
  product: 'toy',
  titleOf: (order) => `a ${readToyDetails(order).colour} toy`,
  costs: { kind: 'toy', expect: () => Promise.resolve(new Map()) },
  listCapableSuppliers: (db, orders) => listSuppliersByRoutes(db, 'toy', orders, () => 'any'),
  send: (_supplier, order) =>
    Promise.resolve(
      readToyDetails(order).colour === 'red'
        ? { meaning: 'failed', evidence: 'broken on the way' }
        : { meaning: 'delivered', evidence: 'arrived' },
    ),
}

function registerToyRoutes(api: Api, { settings, routes, intake, findOrder }: ProductApiDeps & OrderFunctions): void {
  const tags = ['Toys']
  api.post(
    '/toys/purchase',
    {
      config: { keyType: 'standard', limit: toyLimits.purchase, refusals: [400, toyRefusals.colourUnknown, 409, 503] },
      schema: { tags, operationId: 'purchaseToy', summary: 'Buy a toy', body: ToyBody, response: { 200: Envelope(Toy) } },
    },
    async ({ caller, body: { colour, reference } }) => {
      const isEnabled = await settings.read(toyEnabled)
      const request: ToyRequest = {
        colour,
        route: routes.choose('toy', 'any'),
        refusalIfNew: isEnabled ? undefined : refusals.featureDisabled('The sale of toys'),
      }
      const fingerprint = hashRequest(['toy', colour, reference])
      const item = { orderId: newId(), accountId: caller.accountId, kind: 'toy', reference, fingerprint, request }
      const outcome = await placeOrders(intake, caller.accountId, [item])
      if ('refusal' in outcome) throw new RefusalError(outcome.refusal)
      const [placement] = outcome.placements
      if (!placement) throw new Error('a purchase was placed without an order')
      const { order, isReplay } = placement
      const balance = ghs(pesewas(outcome.balance))
      return ok({ order_id: order.id, status: order.status, new_balance: balance, is_replay: isReplay })
    },
  )
  api.get(
    '/toys/orders/:reference',
    {
      config: { keyType: 'standard', limit: toyLimits.order, refusals: [refusals.orderNotFound] },
      schema: {
        tags,
        operationId: 'findToy',
        summary: 'Read an order of a toy',
        params: ToyParams,
        response: { 200: Envelope(ToyOrder) },
      },
    },
    async ({ caller, params: { reference } }) => {
      const order = await findOrder({ accountId: caller.accountId, kind: 'toy', reference })
      if (!order) throw new RefusalError(refusals.orderNotFound)
      return ok({ order_id: order.id, status: order.status })
    },
  )
}

/** A seventh product, to prove that a descriptor is all that a product needs. */
export const toy: Product = {
  name: toyKind.name,
  title: 'Toys',
  shortTitle: 'Toys',
  unit: toyKind.unit,
  references: 'shared',
  namesItsOrders: false,
  fulfilledBy: 'suppliers',
  refundsFailedOrders: 'always',
  earnsCommission: false,
  followsNumberPlan: false,
  peoplesMoves: [],
  soldWhile: toyEnabled,
  settings: [toyEnabled],
  limits: toyLimits,
  refusals: toyRefusals,
  auditChecks: [
    {
      name: 'toy_without_colour',
      pieces: 'ids',
      badRows: ({ within }) => sql`
        select count(*) as bad from orders
        where kind = 'toy' and ${within(sql`id`)} and details ->> 'colour' is null`,
    },
  ],
  sealedColumns: [],
  finders: [],
  approvalKinds: [],
  expectedCost: toyFulfilment.costs,
  openForApi: (parts) => ({ kind: toyKind, registerRoutes: (api, shop) => registerToyRoutes(api, { ...parts, ...shop }) }),
  openForWorker: () => ({ fulfilment: toyFulfilment }),
}

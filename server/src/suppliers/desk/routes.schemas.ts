import Type from 'typebox'
import { Moment, Nullable, OneOf } from '../../platform/http/schemas.ts'
import { Reason } from './suppliers.schemas.ts'

const Part = (description: string) => Type.String({ minLength: 1, maxLength: 100, description })

const supplier = Part('Its supplier.')
const product = Part('Its product, such as `data`.')
const network = Part('Its network, or the biller, such as `MTN`.')

/** All routes of a supplier, those of one product, or a single one. */
const selection = { supplier, product: Type.Optional(product), network: Type.Optional(network) }

const priority = Type.Integer({ minimum: 0, maximum: 999_999, description: 'The lowest is asked first.' })

export const RoutesQuery = Type.Object({ supplier: Type.Optional(supplier) })

export const DeskRoute = Type.Object(
  {
    route: Type.String({ examples: ['datamart/data/MTN'] }),
    supplier: Type.String(),
    product: Type.String(),
    network: Type.String(),
    priority: Type.Integer(),
    rank: Type.Integer({ description: 'Its place among the routes of its product and network, from 1.' }),
    is_supplier_enabled: Type.Boolean(),
    state: OneOf(['open', 'paused']),
    paused_by: Type.Unsafe<'person' | 'float' | 'auth' | 'disabled' | 'silent' | null>({
      type: ['string', 'null'],
      enum: ['person', 'float', 'auth', 'disabled', 'silent', null],
      description: 'Who or what paused it; null: it is open.',
    }),
    paused_reason: Nullable(Type.String({ description: 'A person’s own words.' })),
    paused_at: Nullable(Moment()),
    paused_until: Nullable(Moment({ description: 'When it is looked at next, or opens by itself; null: it stays.' })),
    probed_at: Nullable(Moment({ description: 'When its supplier was last looked at.' })),
    probe_said: Nullable(Type.String({ description: 'What that look found.' })),
    orders_waiting: Type.Integer({ description: 'Not sent yet.' }),
    orders_sent: Type.Integer({ description: 'Sent, and asked about.' }),
  },
  { title: 'DeskRoute' },
)

export const DeskRouteList = Type.Object(
  {
    routes: Type.Array(DeskRoute),
    networks: Type.Array(Type.Object({ product: Type.String(), network: Type.String() }), {
      description: 'Where a route may lead.',
    }),
  },
  { title: 'DeskRouteList' },
)

export const RouteBody = Type.Object({ supplier, product, network, priority, reason: Reason }, { additionalProperties: false })

export const PauseBody = Type.Object(
  {
    ...selection,
    reason: Reason,
    minutes: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 999_999, description: 'Open again after so long; left out: stays.' }),
    ),
  },
  { additionalProperties: false },
)

export const ResumeBody = Type.Object({ ...selection, reason: Type.Optional(Reason) }, { additionalProperties: false })

export const ForesightQuery = Type.Object({ ...selection, change: OneOf(['pause', 'resume']) })

export const RouteForesightView = Type.Object(
  {
    routes: Type.Array(Type.String()),
    waiting: Type.Array(
      Type.Object({
        supplier: Nullable(Type.String({ description: 'Who gets them then; null: they wait on.' })),
        orders: Type.Integer(),
      }),
      { description: 'Orders that were not sent yet.' },
    ),
    is_partial: Type.Boolean({ description: 'More orders wait than were looked at.' }),
    sent: Type.Integer({ description: 'Orders that were sent: they are asked about as before.' }),
    new_orders: Type.Array(
      Type.Object({
        product: Type.String(),
        network: Type.String(),
        supplier: Nullable(Type.String({ description: 'Where new orders start then; null: they wait.' })),
      }),
    ),
  },
  { title: 'RouteForesightView' },
)

export const RoutesChanged = Type.Object({ routes: Type.Array(Type.String()) }, { title: 'RoutesChanged' })

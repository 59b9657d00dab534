import Type from 'typebox'
import { Nullable, OneOf, Uuid } from '../../platform/http/schemas.ts'
import { AskedTimestamp, Timestamp } from '../../platform/operations/fields.ts'
import { endpointsMax } from './endpoints.ts'
import { eventNames, testEvent } from './event-types.ts'
import type { PauseReason } from './webhooks.tables.ts'

const Events = (description: string) => Type.Array(OneOf(eventNames), { minItems: 1, maxItems: eventNames.length, description })

export const endpointId = Uuid({ description: 'As the list of endpoints gives it.' })
export const eventId = Uuid({ description: 'As the list of deliveries gives it; `webhook-id` of the request.' })

export const EndpointFields = {
  url: Type.String({ minLength: 8, maxLength: 500, description: 'Where the requests go: https://…' }),
  events: Events('Which events it gets.'),
}

export const EndpointView = Type.Object(
  {
    endpointId: Uuid(),
    url: Type.String(),
    events: Events('Which events it gets.'),
    state: OneOf(['active', 'paused']),
    pauseReason: Type.Unsafe<PauseReason | null>({
      type: ['string', 'null'],
      enum: ['owner', 'operator', 'failing', 'gone', null],
      description: '`failing`: it took nothing for 72 hours. `gone`: it answered 410.',
    }),
    createdAt: Timestamp(),
    previousSecretUntil: Nullable(Timestamp({ description: 'Until then the secret before the last change signs, too.' })),
    failures: Type.Integer({ description: 'Rounds in a row in which it took nothing.' }),
    nextTryAt: Timestamp({ description: 'Nothing is sent before this moment.' }),
    waiting: Type.Integer({ description: 'Events that wait, counted up to 1,000.' }),
    lastDeliveredAt: Nullable(Timestamp()),
  },
  { title: 'WebhookEndpoint' },
)

export const EndpointList = Type.Object(
  {
    endpoints: Type.Array(EndpointView, { maxItems: endpointsMax }),
    eventTypes: Type.Array(OneOf(eventNames), { description: 'Every event that an endpoint may get.' }),
  },
  { title: 'WebhookEndpoints' },
)

export const MadeEndpoint = Type.Object(
  { endpointId: Uuid(), secret: Type.String({ description: 'Signs the requests. It is never shown again.' }) },
  { title: 'MadeWebhookEndpoint' },
)

export const ChangedEndpoint = Type.Object({ endpointId: Uuid() }, { title: 'ChangedWebhookEndpoint' })

const deliveryFields = {
  eventId: Uuid({ description: '`webhook-id` of the request.' }),
  type: OneOf([...eventNames, testEvent]),
  happenedAt: Timestamp(),
  state: OneOf(['waiting', 'delivered']),
  tries: Type.Integer(),
  triedAt: Nullable(Timestamp({ description: 'Of the last try.' })),
  nextTryAt: Nullable(Timestamp({ description: 'Null: it was delivered.' })),
  milliseconds: Nullable(Type.Integer({ description: 'How long the last answer took.' })),
  status: Nullable(Type.Integer({ description: 'Of the last answer; null: there was none.' })),
  failure: Nullable(Type.String({ description: 'Why the last try failed.' })),
}

export const DeliveryFilters = Type.Object({
  state: Type.Optional(OneOf(['waiting', 'delivered'])),
  after: Type.Optional(Type.String({ pattern: '^[0-9]{1,18}$', description: 'The `next` of the page before.' })),
})

export const DeliveryPage = Type.Object(
  {
    deliveries: Type.Array(Type.Object(deliveryFields, { title: 'WebhookDelivery' })),
    next: Nullable(Type.String({ description: 'For the next page; null: the last one.' })),
  },
  { title: 'WebhookDeliveryPage' },
)

export const DeliveryView = Type.Object(
  {
    ...deliveryFields,
    request: Type.String({ description: 'The exact body of the request.' }),
    answer: Nullable(Type.String({ description: 'The first 1,024 bytes of the last answer.' })),
  },
  { title: 'WebhookDeliveryInFull' },
)

export const ReplayBody = Type.Object({ from: AskedTimestamp({ description: 'What happened at this moment or later.' }) })

export const Replayed = Type.Object(
  {
    replayed: Type.Integer({ description: 'Events that are sent once more.' }),
    next: Nullable(Timestamp({ description: 'There is more: go on from this moment. Null: that was all.' })),
  },
  { title: 'WebhooksReplayed' },
)

import Type from 'typebox'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { OneOf, Uuid } from '../../platform/http/schemas.ts'
import { type Actor, type OperationDeps, operation } from '../../platform/operations/operation.ts'
import { appendOperatorLog } from '../../platform/operator-log/append-operator-log.ts'
import { listDeliveries, readDelivery, replayDeliveries, resendDelivery } from './deliveries.ts'
import {
  type Endpoint,
  listEndpoints,
  makeEndpoint,
  pauseEndpoint,
  queueTestEvent,
  readEndpoint,
  resumeEndpoint,
} from './endpoints.ts'
import { eventNames } from './event-types.ts'
import {
  DeliveryFilters,
  DeliveryPage,
  DeliveryView,
  EndpointFields,
  EndpointView,
  endpointId,
  eventId,
  MadeEndpoint,
  ReplayBody,
  Replayed,
} from './webhooks.schemas.ts'

const DeskEndpoint = Type.Object({ ...EndpointView.properties, accountId: Uuid() }, { title: 'DeskWebhookEndpoint' })

const changing = {
  tag: 'Webhooks',
  permission: 'manage_keys',
  refusals: [404],
  about: async ({ db }: OperationDeps, _actor: Actor, { endpointId: id }: { readonly endpointId: string }) =>
    (await readEndpoint(db, id)).accountId,
} as const

const describeEndpoint = ({ endpointId: id, url, state, pauseReason, waiting, failures }: Endpoint) =>
  `${id}  ${new URL(url).host}  ${state}${pauseReason === null ? '' : ` (${pauseReason})`}, ${waiting} waiting, ${failures} failures in a row`

const pageDeliveries = 50

export const webhookOperations = [
  operation({
    command: 'webhook make <url> [events...]',
    example: 'makola webhook make https://shop.example.com/hooks order.completed order.refunded --account ama@example.com',
    summary: 'Make a webhook endpoint of an account, for all events or for some, and show its secret once',
    input: Type.Object({ accountId: Uuid(), url: EndpointFields.url, events: Type.Array(OneOf(eventNames)) }),
    output: MadeEndpoint,
    check({ events }) {
      const unknown = events.find((event) => !eventNames.includes(event))
      return unknown && `There is no event ${unknown}. The events are: ${eventNames.join(', ')}.`
    },
    async act({ db, openSecrets, isLive }, { actor }, { events, ...endpoint }) {
      const options = { secretsKeys: await openSecrets(), isLive, actor }
      const wanted = events.length === 0 ? eventNames : events
      return inTransaction(db, (tx) => makeEndpoint(tx, { ...endpoint, events: wanted }, options))
    },
    text: ({ endpointId: id, secret }) => `${secret}\nKeep it safe: it is shown only now. The endpoint is ${id}.`,
  }),
  operation({
    command: 'webhook list',
    example: 'makola webhook list --account ama@example.com',
    route: 'GET /webhooks',
    operationId: 'deskListWebhooks',
    tag: 'Webhooks',
    permission: 'see',
    summary: 'The webhook endpoints of an account',
    input: Type.Object({ accountId: Uuid() }),
    output: Type.Object({ endpoints: Type.Array(DeskEndpoint) }, { title: 'DeskWebhookEndpoints' }),
    act: async ({ db }, _actor, { accountId }) => ({ endpoints: await listEndpoints(db, accountId) }),
    text: ({ endpoints }) => endpoints.map(describeEndpoint).join('\n') || 'This account has no webhook endpoint.',
  }),
  operation({
    command: 'webhook deliveries <endpoint-id>',
    example: 'makola webhook deliveries 0190a1b2-… --state waiting',
    route: 'GET /webhooks/:endpoint_id/deliveries',
    operationId: 'deskListWebhookDeliveries',
    tag: 'Webhooks',
    permission: 'see',
    refusals: [404],
    summary: 'What was sent to an endpoint in the last 30 days and what waits, newest first',
    input: Type.Object({ endpointId, ...DeliveryFilters.properties }),
    output: DeliveryPage,
    async act({ db }, _actor, query) {
      await readEndpoint(db, query.endpointId)
      return listDeliveries(db, { ...query, limit: pageDeliveries })
    },
    text: ({ deliveries }) =>
      deliveries
        .map(
          ({ eventId: id, type, happenedAt, state, tries, failure }) =>
            `${id}  ${happenedAt.toISOString()}  ${type}  ${state}, ${tries} tries${failure === null ? '' : `: ${failure}`}`,
        )
        .join('\n') || 'Nothing was sent to this endpoint, and nothing waits.',
  }),
  operation({
    command: 'webhook show <endpoint-id> <event-id>',
    route: 'GET /webhooks/:endpoint_id/deliveries/:event_id',
    operationId: 'deskReadWebhookDelivery',
    tag: 'Webhooks',
    permission: 'see',
    refusals: [404],
    summary: 'The request of a delivery, and its last answer',
    input: Type.Object({ endpointId, eventId }),
    output: DeliveryView,
    act: ({ db }, _actor, delivery) => readDelivery(db, delivery),
    text: ({ request, status, answer, failure }) =>
      [request, status === null ? (failure ?? 'It was not sent yet.') : `answered ${status}`, answer ?? ''].join('\n').trimEnd(),
  }),
  operation({
    ...changing,
    command: 'webhook pause <endpoint-id>',
    route: 'POST /webhooks/:endpoint_id/pause',
    operationId: 'deskPauseWebhook',
    summary: 'Send nothing more to an endpoint; its events are kept',
    input: Type.Object({ endpointId }),
    output: DeskEndpoint,
    act: ({ db }, { actor }, { endpointId: id }) =>
      inTransaction(db, async (tx) => {
        await pauseEndpoint(tx, { endpointId: id, actor, reason: 'operator' })
        return readEndpoint(tx, id)
      }),
    text: describeEndpoint,
  }),
  operation({
    ...changing,
    command: 'webhook resume <endpoint-id>',
    route: 'POST /webhooks/:endpoint_id/resume',
    operationId: 'deskResumeWebhook',
    summary: 'Go on with a paused endpoint: what waits is sent at once',
    input: Type.Object({ endpointId }),
    output: DeskEndpoint,
    act: ({ db }, { actor }, { endpointId: id }) =>
      inTransaction(db, async (tx) => {
        await resumeEndpoint(tx, { endpointId: id, actor })
        return readEndpoint(tx, id)
      }),
    text: describeEndpoint,
  }),
  operation({
    ...changing,
    command: 'webhook test <endpoint-id>',
    route: 'POST /webhooks/:endpoint_id/test',
    operationId: 'deskTestWebhook',
    summary: 'Send a test event to an endpoint',
    input: Type.Object({ endpointId }),
    output: Type.Object({ endpointId }, { title: 'DeskWebhookTested' }),
    async act({ db }, { actor }, { endpointId: id }) {
      await inTransaction(db, async (tx) => {
        await queueTestEvent(tx, await readEndpoint(tx, id))
        await appendOperatorLog(tx, { actor, action: 'webhook test', subject: id })
      })
      return { endpointId: id }
    },
    text: ({ endpointId: id }) => `A test event goes to endpoint ${id}; \`makola webhook deliveries ${id}\` shows its end.`,
  }),
  operation({
    ...changing,
    command: 'webhook resend <endpoint-id> <event-id>',
    route: 'POST /webhooks/:endpoint_id/deliveries/:event_id/resend',
    operationId: 'deskResendWebhook',
    summary: 'Send one event once more',
    input: Type.Object({ endpointId, eventId }),
    output: Type.Object({ eventId }, { title: 'DeskWebhookResent' }),
    async act({ db }, { actor }, request) {
      await inTransaction(db, async (tx) => {
        await resendDelivery(tx, request)
        const details = { event_id: request.eventId }
        await appendOperatorLog(tx, { actor, action: 'webhook resend', subject: request.endpointId, details })
      })
      return { eventId: request.eventId }
    },
    text: ({ eventId: id }) => `Event ${id} is sent once more.`,
  }),
  operation({
    ...changing,
    command: 'webhook replay <endpoint-id>',
    example: 'makola webhook replay 0190a1b2-… --from 2027-01-31T06:00:00Z',
    route: 'POST /webhooks/:endpoint_id/replay',
    operationId: 'deskReplayWebhooks',
    summary: 'Send everything once more that happened since a moment, oldest first',
    input: Type.Object({ endpointId, ...ReplayBody.properties }),
    output: Replayed,
    act: ({ db }, { actor }, request) =>
      inTransaction(db, async (tx) => {
        const details = { from: request.from.toISOString() }
        await appendOperatorLog(tx, { actor, action: 'webhook replay', subject: request.endpointId, details })
        return replayDeliveries(tx, request)
      }),
    text: ({ replayed, next }) =>
      `${replayed} events are sent once more.${next === null ? '' : ` There is more: go on with --from ${next.toISOString()}.`}`,
  }),
]

import Type from 'typebox'
import type { Db, Tx } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { Envelope, ok } from '../../platform/http/envelope.ts'
import type { Api } from '../../platform/http/route-types.ts'
import { OneOf } from '../../platform/http/schemas.ts'
import type { SecretsKeys } from '../../platform/secrets/secrets-keys.ts'
import { listDeliveries, readDelivery, replayDeliveries, resendDelivery } from './deliveries.ts'
import {
  changeEndpoint,
  type Endpoint,
  listEndpoints,
  makeEndpoint,
  pauseEndpoint,
  queueTestEvent,
  readEndpoint,
  removeEndpoint,
  resumeEndpoint,
  rotateSecret,
} from './endpoints.ts'
import { eventNames } from './event-types.ts'
import { webhookRefusals } from './webhook-refusals.ts'
import {
  ChangedEndpoint,
  DeliveryFilters,
  DeliveryPage,
  DeliveryView,
  EndpointFields,
  EndpointList,
  endpointId,
  eventId,
  MadeEndpoint,
  ReplayBody,
  Replayed,
} from './webhooks.schemas.ts'

export type WebhookRouteDeps = {
  readonly db: Db
  readonly secretsKeys: SecretsKeys
  /** False: the suppliers are simulated, and endpoints may be on this machine. */
  readonly isLive: boolean
}

const tags = ['Webhooks']
const { endpointNotFound, deliveryNotFound, tooManyEndpoints } = webhookRefusals
const EndpointPath = Type.Object({ endpointId })
const DeliveryPath = Type.Object({ endpointId, eventId })
const changing = { permission: 'manage_keys', isConfirmationNeeded: true } as const
const pageDeliveries = 50

export function registerWebhookMemberRoutes(app: Api, deps: WebhookRouteDeps): void {
  registerEndpoints(app, deps)
  registerSecrets(app, deps)
  registerStates(app, deps)
  registerDeliveries(app, deps)
  registerRepeats(app, deps)
}

/**
 * Reads an endpoint and runs `work` with it, in one transaction. @throws RefusalError 404 when the account has no such endpoint
 */
function change<T>({ db }: WebhookRouteDeps, id: string, accountId: string, work: (tx: Tx, own: Endpoint) => Promise<T>) {
  return inTransaction(db, async (tx) => work(tx, await readEndpoint(tx, id, accountId)))
}

function registerEndpoints(app: Api, deps: WebhookRouteDeps): void {
  app.get(
    '/webhooks',
    {
      config: { permission: 'look' },
      schema: {
        operationId: 'listWebhooks',
        tags,
        summary: 'The webhook endpoints of the account',
        response: { 200: Envelope(EndpointList) },
      },
    },
    async ({ membership: { accountId } }) =>
      ok({
        endpoints: await listEndpoints(deps.db, accountId),
        eventTypes: eventNames,
      }),
  )
  app.put(
    '/webhooks/:endpoint_id',
    {
      config: { ...changing, refusals: [400, endpointNotFound] },
      schema: {
        operationId: 'changeWebhook',
        tags,
        summary: 'Change where an endpoint is and which events it gets',
        params: EndpointPath,
        body: Type.Object(EndpointFields),
        response: { 200: Envelope(ChangedEndpoint) },
      },
    },
    async ({ membership: { accountId }, person, params: { endpointId: id }, body }) => {
      const request = { url: body.url, events: body.events, endpointId: id, isLive: deps.isLive, actor: `person:${person.email}` }
      await change(deps, id, accountId, (tx) => changeEndpoint(tx, request))
      return ok({ endpointId: id })
    },
  )
  app.delete(
    '/webhooks/:endpoint_id',
    {
      config: { ...changing, refusals: [endpointNotFound] },
      schema: {
        operationId: 'removeWebhook',
        tags,
        summary: 'Remove an endpoint with its log',
        params: EndpointPath,
        response: { 200: Envelope(ChangedEndpoint) },
      },
    },
    async ({ membership: { accountId }, person, params: { endpointId: id } }) => {
      await change(deps, id, accountId, (tx) => removeEndpoint(tx, { endpointId: id, actor: `person:${person.email}` }))
      return ok({ endpointId: id })
    },
  )
}

function registerSecrets(app: Api, deps: WebhookRouteDeps): void {
  const { db, secretsKeys, isLive } = deps
  app.post(
    '/webhooks',
    {
      config: { ...changing, refusals: [400, tooManyEndpoints] },
      schema: {
        operationId: 'makeWebhook',
        tags,
        summary: 'Make a webhook endpoint, and show its secret once',
        body: Type.Object(EndpointFields),
        response: { 200: Envelope(MadeEndpoint) },
      },
    },
    async ({ membership: { accountId }, person, body }) => {
      const options = { secretsKeys, isLive, actor: `person:${person.email}` }
      return ok(await inTransaction(db, (tx) => makeEndpoint(tx, { accountId, url: body.url, events: body.events }, options)))
    },
  )
  app.post(
    '/webhooks/:endpoint_id/secret',
    {
      config: { ...changing, refusals: [endpointNotFound] },
      schema: {
        operationId: 'rotateWebhookSecret',
        tags,
        summary: 'Make a new secret, and show it once; the old one signs beside it for 24 hours',
        params: EndpointPath,
        response: { 200: Envelope(MadeEndpoint) },
      },
    },
    async ({ membership: { accountId }, person, params: { endpointId: id } }) => {
      const rotation = { endpointId: id, secretsKeys, actor: `person:${person.email}` }
      return ok(await change(deps, id, accountId, (tx) => rotateSecret(tx, rotation)))
    },
  )
}

function registerStates(app: Api, deps: WebhookRouteDeps): void {
  app.post(
    '/webhooks/:endpoint_id/state',
    {
      config: { permission: 'manage_keys', refusals: [endpointNotFound] },
      schema: {
        operationId: 'setWebhookState',
        tags,
        summary: 'Pause an endpoint, or go on with it; its events are kept meanwhile',
        params: EndpointPath,
        body: Type.Object({ state: OneOf(['active', 'paused']) }),
        response: { 200: Envelope(ChangedEndpoint) },
      },
    },
    async ({ membership: { accountId }, person, params: { endpointId: id }, body: { state } }) => {
      const act = { endpointId: id, actor: `person:${person.email}` }
      await change(deps, id, accountId, async (tx) => {
        if (state === 'active') await resumeEndpoint(tx, act)
        else await pauseEndpoint(tx, { ...act, reason: 'owner' })
      })
      return ok({ endpointId: id })
    },
  )
  app.post(
    '/webhooks/:endpoint_id/test',
    {
      config: { permission: 'manage_keys', refusals: [endpointNotFound] },
      schema: {
        operationId: 'testWebhook',
        tags,
        summary: 'Send a test event, `webhook.test`, to an endpoint',
        params: EndpointPath,
        response: { 200: Envelope(ChangedEndpoint) },
      },
    },
    async ({ membership: { accountId }, params: { endpointId: id } }) => {
      await change(deps, id, accountId, queueTestEvent)
      return ok({ endpointId: id })
    },
  )
}

function registerDeliveries(app: Api, deps: WebhookRouteDeps): void {
  app.get(
    '/webhooks/:endpoint_id/deliveries',
    {
      config: { permission: 'look', refusals: [endpointNotFound] },
      schema: {
        operationId: 'listWebhookDeliveries',
        tags,
        summary: 'What was sent to an endpoint in the last 30 days and what waits, newest first',
        params: EndpointPath,
        querystring: DeliveryFilters,
        response: { 200: Envelope(DeliveryPage) },
      },
    },
    async ({ membership: { accountId }, params: { endpointId: id }, query }) => {
      await readEndpoint(deps.db, id, accountId)
      return ok(await listDeliveries(deps.db, { ...query, endpointId: id, limit: pageDeliveries }))
    },
  )
  app.get(
    '/webhooks/:endpoint_id/deliveries/:event_id',
    {
      config: { permission: 'look', refusals: [deliveryNotFound] },
      schema: {
        operationId: 'readWebhookDelivery',
        tags,
        summary: 'One delivery with its request and the last answer',
        params: DeliveryPath,
        response: { 200: Envelope(DeliveryView) },
      },
    },
    async ({ membership: { accountId }, params }) => {
      await readEndpoint(deps.db, params.endpointId, accountId)
      return ok(await readDelivery(deps.db, params))
    },
  )
}

function registerRepeats(app: Api, deps: WebhookRouteDeps): void {
  app.post(
    '/webhooks/:endpoint_id/deliveries/:event_id/resend',
    {
      config: { permission: 'manage_keys', refusals: [deliveryNotFound] },
      schema: {
        operationId: 'resendWebhook',
        tags,
        summary: 'Send an event once more',
        params: DeliveryPath,
        response: { 200: Envelope(ChangedEndpoint) },
      },
    },
    async ({ membership: { accountId }, params }) => {
      await change(deps, params.endpointId, accountId, (tx) => resendDelivery(tx, params))
      return ok({ endpointId: params.endpointId })
    },
  )
  app.post(
    '/webhooks/:endpoint_id/replay',
    {
      config: { permission: 'manage_keys', refusals: [endpointNotFound] },
      schema: {
        operationId: 'replayWebhooks',
        tags,
        summary: 'Send everything once more that happened since a moment, oldest first',
        params: EndpointPath,
        body: ReplayBody,
        response: { 200: Envelope(Replayed) },
      },
    },
    async ({ membership: { accountId }, params: { endpointId: id }, body: { from } }) =>
      ok(await change(deps, id, accountId, (tx) => replayDeliveries(tx, { endpointId: id, from }))),
  )
}

import { sql } from 'kysely'
import { pino } from 'pino'
import { Agent } from 'undici'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeAccount } from '../../test/makers.ts'
import { untilTrue } from '../../test/patience.ts'
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts'
import { approveKey } from '../accounts/approve-key.ts'
import { createKey } from '../accounts/create-key.ts'
import { watchLowBalances } from '../accounts/notices/watch-low-balances.ts'
import { revokeKey } from '../accounts/revoke-key.ts'
import { creditWallet } from '../money/credit-wallet.ts'
import { announceIncident, endIncident } from '../notices/incidents/announce-incident.ts'
import { claimEndpoints } from '../notices/webhooks/claim-endpoints.ts'
import { listDeliveries, readDelivery, replayDeliveries, resendDelivery } from '../notices/webhooks/deliveries.ts'
import { makeEndpoint, queueTestEvent, readEndpoint, resumeEndpoint, rotateSecret } from '../notices/webhooks/endpoints.ts'
import { type EventType, eventNames } from '../notices/webhooks/event-types.ts'
import { forgettingsOfWebhooks } from '../notices/webhooks/forget-webhooks.ts'
import { openWebhookSender, type WebhookSender } from '../notices/webhooks/send-webhooks.ts'
import { signWebhook } from '../notices/webhooks/sign-webhook.ts'
import { placeTestOrders } from '../orders/intake/place-test-orders.fixture.ts'
import { moveOrders } from '../orders/settlement/move-orders.ts'
import type { Tx } from '../platform/database/database.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { forgetNow } from '../platform/forgetting/forget-now.fixture.ts'
import { openPublicAgent } from '../platform/outgoing/public-addresses.ts'
import { parseSecretsKeys } from '../platform/secrets/secrets-keys.ts'
import { products } from '../products/products.ts'
import { startWebhookReceiver, type WebhookReceiver } from './webhook-receiver.fixture.ts'
import { makeWebhookEvents } from './webhook-timers.ts'

let database: TestDatabase
const db = () => database.db
const secretsKeys = parseSecretsKeys(Buffer.alloc(32, 1).toString('base64'), 'SECRETS_KEY')
const makeReseller = () => makeAccount(db(), { balancePesewas: 100_000 })
let receiver: WebhookReceiver
let accountId: string
let sender: WebhookSender
const paused: { reason: string; host: string }[] = []
const agents: Agent[] = []

const inTx = <T>(work: (tx: Tx) => Promise<T>) => inTransaction(db(), work)

function openSender(dispatcher = new Agent()): WebhookSender {
  agents.push(dispatcher)
  return openWebhookSender({
    db: db(),
    log: pino({ level: 'silent' }),
    secretsKeys,
    dispatcher,
    notifyOfPause: async (_tx, notice) => void paused.push(notice),
  })
}

beforeAll(async () => {
  database = await createTestDatabase()
})
beforeEach(async () => {
  receiver = await startWebhookReceiver()
  accountId = (await makeReseller()).accountId
  sender = openSender()
  paused.length = 0
})
afterEach(async () => {
  await receiver.close()
  await sender.stop()
  await sql`delete from webhook_endpoints`.execute(db())
})
afterAll(async () => {
  await Promise.all(agents.map((agent) => agent.destroy()))
  await database.drop()
})

const make = (events: readonly EventType[] = eventNames, { of = accountId, url = receiver.url, isLive = false } = {}) =>
  inTx((tx) => makeEndpoint(tx, { accountId: of, url, events }, { secretsKeys, isLive, actor: 'test' }))

/** Makes events of what happened, and sends what is due, as the timers of a worker do. */
async function work(by = sender): Promise<void> {
  await makeWebhookEvents(db(), products)
  await sql`update webhook_deliveries set next_try_at = '-infinity' where state = 'waiting'`.execute(db())
  await sql`update webhook_endpoints set next_try_at = '-infinity'`.execute(db())
  await by.look()
}

const typesOf = (of = receiver) => of.received.map(({ type }) => type)
const untilReceived = (count: number, of = receiver) =>
  untilTrue(
    () => of.received.length >= count,
    () => `only ${typesOf(of).join()} came`,
  )
const deliveriesOf = async (endpointId: string) => (await listDeliveries(db(), { endpointId, limit: 100 })).deliveries
const untilEnded = (endpointId: string) =>
  untilTrue(
    async () => (await deliveriesOf(endpointId)).every(({ state }) => state === 'delivered'),
    () => 'something waits',
  )

async function placeOrder(of = accountId, status: 'pending' | 'queued' = 'pending'): Promise<string> {
  const [order] = await placeTestOrders(db(), of, ['0241234567'], { status })
  return order?.orderId ?? ''
}

const move = (orderId: string, ...states: Parameters<typeof moveOrders>[2][]) =>
  inTx(async (tx) => {
    const [from, ...rest] = states
    let last = from
    for (const to of rest) {
      if (last) await moveOrders(tx, last, to, 'test', [{ orderId, reason: null }])
      last = to
    }
  })

describe('what happens to an account', () => {
  it('reaches its endpoint: every move of an order in its order, signed, without the number of the recipient', async () => {
    const early = await placeOrder()
    const { endpointId, secret } = await make()
    await move(early, 'pending', 'processing')
    const orderId = await placeOrder(accountId, 'queued')
    await move(orderId, 'queued', 'pending', 'processing', 'completed')
    await work()
    await untilReceived(4)
    const own = receiver.received.filter(({ data }) => data['order_id'] === orderId)
    expect(own.map(({ type }) => type)).toEqual(['order.queued', 'order.processing', 'order.completed'])
    expect(receiver.received.filter(({ data }) => data['order_id'] === early).map(({ type }) => type)).toEqual([
      'order.processing',
    ])
    expect(own[2]?.data).toEqual({
      order_id: orderId,
      reference: `test-${orderId}`,
      product: 'data',
      status: 'completed',
      network: null,
      package: null,
      price: 5,
      unit: 'GHS',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    })
    for (const { id, at, body, signature } of receiver.received) {
      expect(signature).toBe(signWebhook([secret], id, at, body))
      expect(body).not.toContain('0241234567')
    }
    await untilEnded(endpointId)
    await work()
    expect(receiver.received).toHaveLength(4)
  })

  it('reaches nobody else, and leaves no trace for an account without an endpoint', async () => {
    const other = (await makeReseller()).accountId
    await make(['order.failed'])
    for (const of of [other, accountId]) await move(await placeOrder(of), 'pending', 'failed', 'refunded')
    await work()
    await untilReceived(1)
    expect(typesOf()).toEqual(['order.failed'])
    const { rows } = await sql`select from webhook_events where account_id = ${other}`.execute(db())
    expect(rows).toEqual([])
  })

  it('tells of money, keys, a low balance and incidents', async () => {
    await make(['wallet.credited', 'wallet.low', 'key.approved', 'key.revoked', 'incident.opened', 'incident.closed'])
    await inTx((tx) => creditWallet(tx, { accountId, purse: 'sms_credits', amount: 7, actor: 'test' }))
    const { keyId } = await inTx((tx) =>
      createKey(tx, { accountId, type: 'commission', isPending: true, prefix: 'makola', actor: 'test' }),
    )
    await inTx((tx) => approveKey(tx, { keyId, actor: 'test' }))
    await inTx((tx) => revokeKey(tx, { keyId, actor: 'test' }))
    await sql`insert into account_notice_settings (account_id, low_balance) values (${accountId}, 10000000)`.execute(db())
    await watchLowBalances(db())
    const incidentId = await inTx((tx) => announceIncident(tx, { level: 'trouble', message: 'MTN is slow', actor: 'test' }))
    await inTx((tx) => endIncident(tx, { incidentId, actor: 'test' }))
    await work()
    await untilReceived(6)
    const told = Object.fromEntries(receiver.received.map(({ type, data }) => [type, data]))
    expect(told).toMatchObject({
      'wallet.credited': { purse: 'sms_credits', amount: 7, balance_after: 7, unit: 'credits' },
      'wallet.low': { limit: 100_000, unit: 'GHS' },
      'key.approved': { key_id: keyId, key_type: 'commission' },
      'key.revoked': { key_id: keyId },
      'incident.opened': { incident_id: incidentId, message: 'MTN is slow' },
      'incident.closed': { incident_id: incidentId },
    })
  })
})

describe('an endpoint that fails', () => {
  it('gets each event again with the same id until it takes it, and the events of one order in their order', async () => {
    const { endpointId } = await make(['order.processing', 'order.completed'])
    const orders = [await placeOrder(), await placeOrder(), await placeOrder()]
    for (const orderId of orders) await move(orderId, 'pending', 'processing', 'completed')
    const taken: typeof receiver.received = []
    receiver.answer((webhook, response) => {
      const isTaken = Math.random() < 0.4
      if (isTaken) taken.push(webhook)
      response.writeHead(isTaken ? 200 : 500).end('no')
    })
    await untilTrue(
      async () => {
        await work()
        return taken.length >= 6
      },
      () => `${taken.length} were taken`,
    )
    await untilEnded(endpointId)
    for (const orderId of orders) {
      const own = taken.filter(({ data }) => data['order_id'] === orderId)
      expect(own.map(({ type }) => type)).toEqual(['order.processing', 'order.completed'])
    }
    const bodies = new Map(receiver.received.map(({ id, body }) => [id, body]))
    expect(bodies.size).toBe(6)
    for (const { id, body } of receiver.received) expect(body).toBe(bodies.get(id))
  })

  it.each([
    [
      'sends a redirect to a metadata address',
      { location: 'http://169.254.169.254/latest/meta-data' },
      301,
      /redirects are not followed/,
    ],
    ['refuses', {}, 403, /answered 403/],
  ])('%s: the log says so, and it is tried later', async (_name, headers, status, failure) => {
    const { endpointId } = await make()
    receiver.answer((_webhook, response) => response.writeHead(status, headers).end(`\0${'x'.repeat(5_000)}`))
    await inTx(async (tx) => queueTestEvent(tx, await readEndpoint(tx, endpointId)))
    await sender.look()
    await untilTrue(
      async () => (await deliveriesOf(endpointId))[0]?.tries === 1,
      () => 'nothing was tried',
    )
    const [delivery] = await deliveriesOf(endpointId)
    expect(delivery).toMatchObject({ state: 'waiting', status, failure: expect.stringMatching(failure) })
    const { answer, request } = await readDelivery(db(), { endpointId, eventId: delivery?.eventId ?? '' })
    expect(answer).toHaveLength(1_024)
    expect(request).toBe(receiver.received[0]?.body)
    await sender.stop()
    const endpoint = await readEndpoint(db(), endpointId)
    expect(endpoint.failures).toBe(1)
    expect(endpoint.nextTryAt.getTime()).toBeGreaterThan(Date.now())
  })

  it('is paused with a notice after 72 hours, keeps its events, and gets them when it is resumed', async () => {
    const { endpointId } = await make(['order.processing'])
    await move(await placeOrder(), 'pending', 'processing')
    receiver.answer((_webhook, response) => response.writeHead(500).end())
    await makeWebhookEvents(db(), products)
    const back = sql`clock_timestamp() - interval '73 hours'`
    await sql`update webhook_deliveries set created_at = ${back}`.execute(db())
    await sql`update webhook_endpoints set active_since = ${back}`.execute(db())
    await work()
    await untilTrue(
      () => paused.length === 1,
      () => 'it was not paused',
    )
    await sender.stop()
    expect(await readEndpoint(db(), endpointId)).toMatchObject({ state: 'paused', pauseReason: 'failing', waiting: 1 })
    expect(paused[0]?.host).toBe(new URL(receiver.url).host)
    sender = openSender()
    receiver.answer((_webhook, response) => response.writeHead(200).end())
    await move(await placeOrder(), 'pending', 'processing')
    await work()
    expect((await readEndpoint(db(), endpointId)).waiting).toBe(2)
    await inTx((tx) => resumeEndpoint(tx, { endpointId, actor: 'test' }))
    await work()
    await untilEnded(endpointId)
    expect(typesOf().length).toBeGreaterThan(2)
  })

  it('is paused at once when it answers 410', async () => {
    const { endpointId } = await make()
    receiver.answer((_webhook, response) => response.writeHead(410).end())
    await inTx(async (tx) => queueTestEvent(tx, await readEndpoint(tx, endpointId)))
    await work()
    await sender.stop()
    expect((await readEndpoint(db(), endpointId)).pauseReason).toBe('gone')
  })

  it('and hangs, or answers without end, keeps nobody else waiting', async () => {
    const other = await startWebhookReceiver()
    try {
      const { accountId: otherId } = await makeReseller()
      await make(['order.processing'])
      const { endpointId } = await make(['order.processing'], { of: otherId, url: other.url })
      receiver.answer((_webhook, response) => response.writeHead(200).write('x'))
      for (const of of [accountId, otherId]) await move(await placeOrder(of), 'pending', 'processing')
      await work()
      await untilReceived(1)
      await untilReceived(1, other)
      await untilEnded(endpointId)
      await move(await placeOrder(otherId), 'pending', 'processing')
      await work()
      await untilReceived(2, other)
      expect([typesOf(), typesOf(other)].map(({ length }) => length)).toEqual([1, 2])
    } finally {
      await other.close()
    }
  })
})

describe('an address of this machine', () => {
  it.each(['http://localhost:1', 'http://127.0.0.1:1', 'http://10.0.0.1/', 'https://[::1]/', 'https://169.254.169.254/'])(
    '%s is not asked by an installation with live suppliers',
    async (url) => {
      const { endpointId } = await make(eventNames, {
        url: url.includes('localhost') ? url.replace('1', new URL(receiver.url).port) : url,
      })
      await inTx(async (tx) => queueTestEvent(tx, await readEndpoint(tx, endpointId)))
      const live = openSender(openPublicAgent())
      await work(live)
      await untilTrue(
        async () => (await deliveriesOf(endpointId))[0]?.tries === 1,
        () => 'nothing was tried',
      )
      expect((await deliveriesOf(endpointId))[0]?.failure).toBe('Its address is not one of the public internet.')
      expect(receiver.received).toEqual([])
    },
  )

  it.each([
    'http://shop.example.com/',
    'https://127.0.0.1/',
    'https://ama:secret@shop.example.com/',
    'ftp://shop.example.com',
    'shop',
  ])('%s is not taken there', async (url) => {
    await expect(make(eventNames, { url, isLive: true })).rejects.toMatchObject({ refusal: { reason: 'endpoint_address' } })
  })
})

describe('a worker that is killed', () => {
  it('between its claim and its request, or before it noted the answer, leaves the event to another one', async () => {
    const { endpointId } = await make(['order.processing', 'order.completed'])
    await move(await placeOrder(), 'pending', 'processing', 'completed')
    await makeWebhookEvents(db(), products)
    await claimEndpoints(db(), { healthy: 10, failing: 10 })
    await work()
    expect(receiver.received).toEqual([])
    await sql`update webhook_endpoints set lease_until = clock_timestamp()`.execute(db())
    await work()
    await untilEnded(endpointId)
    expect(typesOf()).toEqual(['order.processing', 'order.completed'])
    // It sent, but its note was lost.
    await sql`update webhook_deliveries set state = 'waiting'`.execute(db())
    await sender.stop()
    sender = openSender()
    await work()
    await untilEnded(endpointId)
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(2)
    expect(typesOf().slice(-2)).toEqual(['order.processing', 'order.completed'])
  })

  it('while it makes events leaves none out and makes none twice', async () => {
    await make(['order.processing'])
    const orders = [await placeOrder(), await placeOrder()]
    await move(orders[0] ?? '', 'pending', 'processing')
    const broken = db().withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        if ((result.numAffectedRows ?? 0n) > 0n) throw new Error('killed')
        return result
      },
    })
    await expect(makeWebhookEvents(broken, products)).rejects.toThrow('killed')
    // A transaction that began before the look and commits after it.
    await inTx(async (tx) => {
      await moveOrders(tx, 'pending', 'processing', 'test', [{ orderId: orders[1] ?? '', reason: null }])
      await makeWebhookEvents(db(), products)
    })
    await work()
    await untilReceived(2)
    await work()
    expect(receiver.received).toHaveLength(2)
    expect(new Set(receiver.received.map(({ data }) => data['order_id']))).toEqual(new Set(orders))
  })
})

describe('its owner', () => {
  it('changes the secret: for a day both sign', async () => {
    const { endpointId, secret } = await make()
    const { secret: next } = await inTx((tx) => rotateSecret(tx, { endpointId, secretsKeys, actor: 'test' }))
    const test = () => inTx(async (tx) => queueTestEvent(tx, await readEndpoint(tx, endpointId)))
    await test()
    await work()
    await untilEnded(endpointId)
    await sql`update webhook_endpoints set previous_secret_until = clock_timestamp()`.execute(db())
    await test()
    await work()
    await untilReceived(2)
    const [both, one] = receiver.received
    expect(both?.signature).toBe(signWebhook([next, secret], both?.id ?? '', both?.at ?? 0, both?.body ?? ''))
    expect(one?.signature).toBe(signWebhook([next], one?.id ?? '', one?.at ?? 0, one?.body ?? ''))
  })

  it('sends one event again, or everything since a moment', async () => {
    const { endpointId } = await make(['order.processing', 'order.completed'])
    await move(await placeOrder(), 'pending', 'processing', 'completed')
    await work()
    await untilEnded(endpointId)
    const [newest] = await deliveriesOf(endpointId)
    await inTx((tx) => resendDelivery(tx, { endpointId, eventId: newest?.eventId ?? '' }))
    await work()
    await untilReceived(3)
    await untilEnded(endpointId)
    expect(await inTx((tx) => replayDeliveries(tx, { endpointId, from: new Date(0) }))).toEqual({ replayed: 2, next: null })
    await work()
    await untilReceived(5)
    expect(typesOf()).toEqual(['order.processing', 'order.completed', 'order.completed', 'order.processing', 'order.completed'])
  })

  it('has at most ten endpoints', async () => {
    for (let n = 0; n < 10; n += 1) await make()
    await expect(make()).rejects.toMatchObject({ refusal: { reason: 'too_many_endpoints' } })
  })
})

it('the log goes after 30 days', async () => {
  const { endpointId } = await make()
  for (const days of [29, 31]) {
    await inTx(async (tx) => queueTestEvent(tx, await readEndpoint(tx, endpointId)))
    for (const table of ['webhook_events', 'webhook_deliveries'] as const)
      await sql`update ${sql.table(table)} set created_at = clock_timestamp() - make_interval(days => ${days})
        where event_no = (select max(event_no) from ${sql.table(table)})`.execute(database.ownerDb)
  }
  for (const forgetting of forgettingsOfWebhooks) await forgetNow(db(), forgetting)
  expect(await deliveriesOf(endpointId)).toHaveLength(1)
})

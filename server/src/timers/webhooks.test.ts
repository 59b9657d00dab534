import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { untilTrue } from '../../test/patience.ts'
import { claimEndpoints } from '../notices/webhooks/claim-endpoints.ts'
import { forgettingsOfWebhooks, readDelivery, replayDeliveries, resendDelivery } from '../notices/webhooks/deliveries.ts'
import { changeEndpoint, pauseEndpoint, readEndpoint, resumeEndpoint, rotateSecret } from '../notices/webhooks/endpoints.ts'
import { eventNames } from '../notices/webhooks/event-types.ts'
import { countWebhookTries, measureWebhooks } from '../notices/webhooks/measure-webhooks.ts'
import { signWebhook } from '../notices/webhooks/post-webhook.ts'
import { forgetNow } from '../platform/forgetting/forget-now.fixture.ts'
import { openMetrics } from '../platform/metrics/open-metrics.ts'
import { openPublicAgent } from '../platform/outgoing/public-addresses.ts'
import { products } from '../products/products.ts'
import { secretsKeys, setUpWebhooks } from './set-up-webhooks.fixture.ts'
import { type ReceivedWebhook, startWebhookReceiver } from './webhook-receiver.fixture.ts'
import { makeWebhookEvents } from './webhook-timers.ts'

const webhooks = setUpWebhooks()

describe('an endpoint that fails', () => {
  it('gets each event again with the same id until it takes it, and the events of one order in their order', async () => {
    const { endpointId } = await webhooks.make(['order.processing', 'order.completed'])
    const orders = [await webhooks.placeOrder(), await webhooks.placeOrder(), await webhooks.placeOrder()]
    for (const orderId of orders) await webhooks.move(orderId, 'pending', 'processing', 'completed')
    const taken: ReceivedWebhook[] = []
    webhooks.receiver.answer((webhook, response) => {
      const isTaken = Math.random() < 0.4
      if (isTaken) taken.push(webhook)
      response.writeHead(isTaken ? 200 : 500).end('no')
    })
    await untilTrue(
      async () => {
        await webhooks.work()
        return taken.length >= 6
      },
      () => `${taken.length} were taken`,
    )
    await webhooks.untilEnded(endpointId)
    for (const orderId of orders) {
      const own = taken.filter(({ data }) => data['order_id'] === orderId)
      expect(own.map(({ type }) => type)).toEqual(['order.processing', 'order.completed'])
    }
    const bodies = new Map(webhooks.receiver.received.map(({ id, body }) => [id, body]))
    expect(bodies.size).toBe(6)
    for (const { id, body } of webhooks.receiver.received) expect(body).toBe(bodies.get(id))
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
    const { endpointId } = await webhooks.make()
    webhooks.receiver.answer((_webhook, response) => response.writeHead(status, headers).end(`\0${'x'.repeat(5_000)}`))
    await webhooks.queueTest(endpointId)
    await webhooks.sender.look()
    await webhooks.untilTried(endpointId)
    const [delivery] = await webhooks.deliveriesOf(endpointId)
    expect(delivery).toMatchObject({ state: 'waiting', status, failure: expect.stringMatching(failure) })
    const { answer, request } = await readDelivery(webhooks.db, { endpointId, eventId: delivery?.eventId ?? '' })
    expect(answer).toHaveLength(1_024)
    expect(request).toBe(webhooks.receiver.received[0]?.body)
    await webhooks.sender.stop()
    const endpoint = await readEndpoint(webhooks.db, endpointId)
    expect(endpoint.failures).toBe(1)
    expect(endpoint.nextTryAt.getTime()).toBeGreaterThan(Date.now())
  })

  it('is paused with a notice after 72 hours, keeps its events, and gets them when it is resumed', async () => {
    const { endpointId } = await webhooks.make(['order.processing'])
    await webhooks.move(await webhooks.placeOrder(), 'pending', 'processing')
    webhooks.receiver.answer((_webhook, response) => response.writeHead(500).end())
    await makeWebhookEvents(webhooks.db, products)
    const back = sql`clock_timestamp() - interval '73 hours'`
    await sql`update webhook_deliveries set created_at = ${back}, queued_at = ${back}`.execute(webhooks.db)
    await sql`update webhook_endpoints set active_since = ${back}`.execute(webhooks.db)
    await webhooks.work()
    await untilTrue(
      () => webhooks.paused.length === 1,
      () => 'it was not paused',
    )
    await webhooks.changeSender()
    expect(await readEndpoint(webhooks.db, endpointId)).toMatchObject({ state: 'paused', pauseReason: 'failing', waiting: 1 })
    expect(webhooks.paused[0]?.host).toBe(new URL(webhooks.receiver.url).host)
    webhooks.receiver.answer((_webhook, response) => response.writeHead(200).end())
    await webhooks.move(await webhooks.placeOrder(), 'pending', 'processing')
    await webhooks.work()
    expect((await readEndpoint(webhooks.db, endpointId)).waiting).toBe(2)
    await webhooks.inTx((tx) => resumeEndpoint(tx, { endpointId, actor: 'test' }))
    await webhooks.sender.look()
    await webhooks.untilEnded(endpointId)
    expect(webhooks.typesOf().length).toBeGreaterThan(2)
  })

  it('is not paused because an event of long ago was sent again, and fails', async () => {
    const { endpointId } = await webhooks.make(['order.processing', 'order.completed'])
    await webhooks.move(await webhooks.placeOrder(), 'pending', 'processing', 'completed')
    await webhooks.work()
    await webhooks.untilEnded(endpointId)
    const back = sql`clock_timestamp() - interval '73 hours'`
    await sql`update webhook_deliveries set created_at = ${back}, queued_at = ${back}`.execute(webhooks.db)
    await sql`update webhook_endpoints set active_since = ${back}`.execute(webhooks.db)
    webhooks.receiver.answer((_webhook, response) => response.writeHead(500).end())
    const [newest] = await webhooks.deliveriesOf(endpointId)
    const again = { endpointId, eventId: newest?.eventId ?? '' }
    await webhooks.inTx((tx) => resendDelivery(tx, again))
    await webhooks.work()
    await webhooks.changeSender()
    await webhooks.inTx((tx) => replayDeliveries(tx, { endpointId, from: new Date(0) }))
    await webhooks.work()
    await webhooks.changeSender()
    expect(await readEndpoint(webhooks.db, endpointId)).toMatchObject({ state: 'active', waiting: 2, failures: 2 })
    // An event that waits already does not begin to wait anew.
    await sql`update webhook_deliveries set queued_at = ${back}`.execute(webhooks.db)
    await webhooks.inTx((tx) => resendDelivery(tx, again))
    await webhooks.work()
    await webhooks.changeSender()
    expect((await readEndpoint(webhooks.db, endpointId)).pauseReason).toBe('failing')
  })

  it('of some events alone takes the others meanwhile', async () => {
    const { endpointId } = await webhooks.make(['order.processing'])
    const refused = new Set<unknown>()
    for (let n = 0; n < 5; n += 1) refused.add(await webhooks.placeOrder())
    webhooks.receiver.answer(({ data }, response) => response.writeHead(refused.has(data['order_id']) ? 500 : 204).end())
    for (const orderId of refused) await webhooks.move(String(orderId), 'pending', 'processing')
    await webhooks.work()
    await webhooks.changeSender()
    await webhooks.move(await webhooks.placeOrder(), 'pending', 'processing')
    await makeWebhookEvents(webhooks.db, products)
    // The pauses after the failures are over.
    await sql`update webhook_endpoints set next_try_at = '-infinity'`.execute(webhooks.db)
    await sql`update webhook_deliveries set next_try_at = clock_timestamp() where tries > 0`.execute(webhooks.db)
    await webhooks.sender.look()
    await untilTrue(
      async () => (await webhooks.deliveriesOf(endpointId)).some(({ state }) => state === 'delivered'),
      () => 'the others wait',
    )
    expect((await webhooks.deliveriesOf(endpointId)).filter(({ state }) => state === 'waiting')).toHaveLength(refused.size)
  })

  it('or was slow shares no place with those that are quick', async () => {
    const { endpointId } = await webhooks.make()
    await webhooks.queueTest(endpointId)
    for (const change of [sql`failures = 1, is_slow = false`, sql`failures = 0, is_slow = true`]) {
      await sql`update webhook_endpoints set ${change}, lease_until = '-infinity'`.execute(webhooks.db)
      expect(await claimEndpoints(webhooks.db, { healthy: 10, failing: 0 })).toEqual([])
      expect(await claimEndpoints(webhooks.db, { healthy: 0, failing: 10 })).toHaveLength(1)
    }
  })

  it('is paused at once when it answers 410', async () => {
    const { endpointId } = await webhooks.make()
    webhooks.receiver.answer((_webhook, response) => response.writeHead(410).end())
    await webhooks.queueTest(endpointId)
    await webhooks.work()
    await webhooks.sender.stop()
    expect((await readEndpoint(webhooks.db, endpointId)).pauseReason).toBe('gone')
  })

  it('and hangs, or answers without end, keeps nobody else waiting', async () => {
    const other = await startWebhookReceiver()
    try {
      const { accountId: otherId } = await webhooks.makeReseller()
      await webhooks.make(['order.processing'])
      const { endpointId } = await webhooks.make(['order.processing'], { of: otherId, url: other.url })
      webhooks.receiver.answer((_webhook, response) => response.writeHead(200).write('x'))
      for (const of of [webhooks.accountId, otherId]) await webhooks.move(await webhooks.placeOrder(of), 'pending', 'processing')
      await webhooks.work()
      await webhooks.untilReceived(1)
      await webhooks.untilReceived(1, other)
      await webhooks.untilEnded(endpointId)
      await webhooks.move(await webhooks.placeOrder(otherId), 'pending', 'processing')
      await webhooks.work()
      await webhooks.untilReceived(2, other)
      expect([webhooks.typesOf(), webhooks.typesOf(other)].map(({ length }) => length)).toEqual([1, 2])
    } finally {
      await other.close()
    }
  })
})

it('the metrics tell how requests end, what waits, and how late the sender is', async () => {
  const metrics = openMetrics('worker')
  const look = measureWebhooks(metrics, webhooks.db)
  const { endpointId } = await webhooks.make()
  await webhooks.queueTest(endpointId)
  await sql`update webhook_endpoints set next_try_at = '-infinity'`.execute(webhooks.db)
  await sql`update webhook_deliveries set next_try_at = clock_timestamp() - interval '10 minutes'`.execute(webhooks.db)
  await look()
  const before = await metrics.read()
  expect(before).toContain('makola_webhook_events_waiting{state="answering",role="worker"} 1')
  expect(before).toMatch(/makola_webhook_overdue_seconds\{state="answering",role="worker"\} [6-9]\d\d/)
  await webhooks.openSender(undefined, countWebhookTries(metrics)).look()
  await webhooks.untilEnded(endpointId)
  await webhooks.inTx((tx) => pauseEndpoint(tx, { endpointId, actor: 'test', reason: 'owner' }))
  await webhooks.queueTest(endpointId)
  await look()
  const after = await metrics.read()
  expect(after).toContain('makola_webhook_requests_total{outcome="taken",role="worker"} 1')
  expect(after).toContain('makola_webhook_endpoints{state="paused",role="worker"} 1')
  expect(after).toContain('makola_webhook_overdue_seconds{state="paused",role="worker"} 0')
})

describe('an address of this machine', () => {
  it.each(['http://localhost:1', 'http://127.0.0.1:1', 'http://10.0.0.1/', 'https://[::1]/', 'https://169.254.169.254/'])(
    '%s is not asked by an installation with live suppliers',
    async (url) => {
      const { endpointId } = await webhooks.make(eventNames, {
        url: url.includes('localhost') ? url.replace('1', new URL(webhooks.receiver.url).port) : url,
      })
      await webhooks.queueTest(endpointId)
      const live = webhooks.openSender(openPublicAgent())
      await webhooks.work(live)
      await webhooks.untilTried(endpointId)
      expect((await webhooks.deliveriesOf(endpointId))[0]?.failure).toBe('Its address is not one of the public internet.')
      expect(webhooks.receiver.received).toEqual([])
    },
  )

  it.each([
    'http://shop.example.com/',
    'https://127.0.0.1/',
    'https://ama:secret@shop.example.com/',
    'ftp://shop.example.com',
    'shop',
  ])('%s is not taken there', async (url) => {
    await expect(webhooks.make(eventNames, { url, isLive: true })).rejects.toMatchObject({
      refusal: { reason: 'endpoint_address' },
    })
  })
})

describe('a worker that is killed', () => {
  it('between its claim and its request, or before it noted the answer, leaves the event to another one', async () => {
    const { endpointId } = await webhooks.make(['order.processing', 'order.completed'])
    await webhooks.move(await webhooks.placeOrder(), 'pending', 'processing', 'completed')
    await makeWebhookEvents(webhooks.db, products)
    await claimEndpoints(webhooks.db, { healthy: 10, failing: 10 })
    await webhooks.work()
    expect(webhooks.receiver.received).toEqual([])
    await sql`update webhook_endpoints set lease_until = clock_timestamp()`.execute(webhooks.db)
    await webhooks.work()
    await webhooks.untilEnded(endpointId)
    expect(webhooks.typesOf()).toEqual(['order.processing', 'order.completed'])
    // It sent, but its note was lost.
    await sql`update webhook_deliveries set state = 'waiting'`.execute(webhooks.db)
    await webhooks.changeSender()
    await webhooks.work()
    await webhooks.untilEnded(endpointId)
    expect(new Set(webhooks.receiver.received.map(({ id }) => id)).size).toBe(2)
    expect(webhooks.typesOf().slice(-2)).toEqual(['order.processing', 'order.completed'])
  })
})

describe('its owner', () => {
  it('changes the secret: for a day both sign', async () => {
    const { endpointId, secret } = await webhooks.make()
    const { secret: next } = await webhooks.inTx((tx) => rotateSecret(tx, { endpointId, secretsKeys, actor: 'test' }))
    const test = () => webhooks.queueTest(endpointId)
    await test()
    await webhooks.work()
    await webhooks.untilEnded(endpointId)
    await sql`update webhook_endpoints set previous_secret_until = clock_timestamp()`.execute(webhooks.db)
    await test()
    await webhooks.work()
    await webhooks.untilReceived(2)
    const [both, one] = webhooks.receiver.received
    expect(both?.signature).toBe(signWebhook([next, secret], both?.id ?? '', both?.at ?? 0, both?.body ?? ''))
    expect(one?.signature).toBe(signWebhook([next], one?.id ?? '', one?.at ?? 0, one?.body ?? ''))
  })

  it.each([
    ['worked', 0],
    ['failed', 7],
  ])('changes an address that %s, while it hangs: its answer does not count for the new one', async (_how, failures) => {
    const next = await startWebhookReceiver()
    try {
      const { endpointId } = await webhooks.make()
      let answerLate = () => {}
      webhooks.receiver.answer((_webhook, response) => {
        answerLate = () => response.writeHead(410).end()
      })
      await webhooks.queueTest(endpointId)
      await sql`update webhook_endpoints set failures = ${failures}`.execute(webhooks.db)
      await webhooks.work()
      await webhooks.untilReceived(1)
      const change = { endpointId, url: next.url, events: ['order.completed'], isLive: false, actor: 'test' } as const
      await webhooks.inTx((tx) => changeEndpoint(tx, change))
      answerLate()
      await webhooks.changeSender()
      const changed = await readEndpoint(webhooks.db, endpointId)
      // As one that fails, it takes no place of those that work until it takes an event. But it is tried at once.
      expect(changed).toMatchObject({ state: 'active', pauseReason: null, failures: 1 })
      expect(changed.nextTryAt.getTime()).toBeLessThanOrEqual(Date.now())
      await webhooks.work()
      await webhooks.untilReceived(1, next)
      await webhooks.untilEnded(endpointId)
    } finally {
      await next.close()
    }
  })

  it('sends one event again, or everything since a moment', async () => {
    const { endpointId } = await webhooks.make(['order.processing', 'order.completed'])
    await webhooks.move(await webhooks.placeOrder(), 'pending', 'processing', 'completed')
    await webhooks.work()
    await webhooks.untilEnded(endpointId)
    const [newest] = await webhooks.deliveriesOf(endpointId)
    await webhooks.inTx((tx) => resendDelivery(tx, { endpointId, eventId: newest?.eventId ?? '' }))
    await webhooks.work()
    await webhooks.untilReceived(3)
    await webhooks.untilEnded(endpointId)
    expect(await webhooks.inTx((tx) => replayDeliveries(tx, { endpointId, from: new Date(0) }))).toEqual({
      replayed: 2,
      next: null,
    })
    await webhooks.work()
    await webhooks.untilReceived(5)
    expect(webhooks.typesOf()).toEqual([
      'order.processing',
      'order.completed',
      'order.completed',
      'order.processing',
      'order.completed',
    ])
  })

  it('has at most ten endpoints', async () => {
    for (let n = 0; n < 10; n += 1) await webhooks.make()
    await expect(webhooks.make()).rejects.toMatchObject({ refusal: { reason: 'too_many_endpoints' } })
  })
})

it('the log goes after 30 days', async () => {
  const { endpointId } = await webhooks.make()
  for (const days of [29, 31]) {
    await webhooks.queueTest(endpointId)
    for (const table of ['webhook_events', 'webhook_deliveries'] as const)
      await sql`update ${sql.table(table)} set created_at = clock_timestamp() - make_interval(days => ${days})
        where event_no = (select max(event_no) from ${sql.table(table)})`.execute(webhooks.database.ownerDb)
  }
  for (const forgetting of forgettingsOfWebhooks) await forgetNow(webhooks.db, forgetting)
  expect(await webhooks.deliveriesOf(endpointId)).toHaveLength(1)
})

import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { approveKey } from '../accounts/approve-key.ts'
import { createKey } from '../accounts/create-key.ts'
import { watchLowBalances } from '../accounts/notices/watch-low-balances.ts'
import { revokeKey } from '../accounts/revoke-key.ts'
import { creditWallet } from '../money/credit-wallet.ts'
import { announceIncident, endIncident } from '../notices/incidents/announce-incident.ts'
import { claimEndpoints } from '../notices/webhooks/claim-endpoints.ts'
import { signWebhook } from '../notices/webhooks/post-webhook.ts'
import { moveOrders } from '../orders/settlement/move-orders.ts'
import { products } from '../products/products.ts'
import { setUpWebhooks } from './set-up-webhooks.fixture.ts'
import { makeWebhookEvents } from './webhook-timers.ts'

const webhooks = setUpWebhooks()

describe('what happens to an account', () => {
  it('reaches its endpoint: every move of an order in its order, signed, without the number of the recipient', async () => {
    const early = await webhooks.placeOrder()
    const { endpointId, secret } = await webhooks.make()
    await webhooks.move(early, 'pending', 'processing')
    const orderId = await webhooks.placeOrder(webhooks.accountId, 'queued')
    await webhooks.move(orderId, 'queued', 'pending', 'processing', 'completed')
    await webhooks.work()
    await webhooks.untilReceived(4)
    const own = webhooks.receiver.received.filter(({ data }) => data['order_id'] === orderId)
    expect(own.map(({ type }) => type)).toEqual(['order.queued', 'order.processing', 'order.completed'])
    expect(webhooks.receiver.received.filter(({ data }) => data['order_id'] === early).map(({ type }) => type)).toEqual([
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
    for (const { id, at, body, signature } of webhooks.receiver.received) {
      expect(signature).toBe(signWebhook([secret], id, at, body))
      expect(body).not.toContain('0241234567')
    }
    await webhooks.untilEnded(endpointId)
    await webhooks.work()
    expect(webhooks.receiver.received).toHaveLength(4)
  })

  it('reaches nobody else, and leaves no trace for an account without an endpoint', async () => {
    const other = (await webhooks.makeReseller()).accountId
    await webhooks.make(['order.failed'])
    for (const of of [other, webhooks.accountId])
      await webhooks.move(await webhooks.placeOrder(of), 'pending', 'failed', 'refunded')
    await webhooks.work()
    await webhooks.untilReceived(1)
    expect(webhooks.typesOf()).toEqual(['order.failed'])
    const { rows } = await sql`select from webhook_events where account_id = ${other}`.execute(webhooks.db)
    expect(rows).toEqual([])
  })

  it('tells of money, keys, a low balance and incidents', async () => {
    await webhooks.make(['wallet.credited', 'wallet.low', 'key.approved', 'key.revoked', 'incident.opened', 'incident.closed'])
    await webhooks.inTx((tx) =>
      creditWallet(tx, { accountId: webhooks.accountId, purse: 'sms_credits', amount: 7, actor: 'test' }),
    )
    const { keyId } = await webhooks.inTx((tx) =>
      createKey(tx, { accountId: webhooks.accountId, type: 'commission', isPending: true, prefix: 'makola', actor: 'test' }),
    )
    await webhooks.inTx((tx) => approveKey(tx, { keyId, actor: 'test' }))
    await webhooks.inTx((tx) => revokeKey(tx, { keyId, actor: 'test' }))
    await sql`insert into account_notice_settings (account_id, low_balance) values (${webhooks.accountId}, 10000000)`.execute(
      webhooks.db,
    )
    await watchLowBalances(webhooks.db)
    const incidentId = await webhooks.inTx((tx) =>
      announceIncident(tx, { level: 'trouble', message: 'MTN is slow', actor: 'test' }),
    )
    await webhooks.inTx((tx) => endIncident(tx, { incidentId, actor: 'test' }))
    await webhooks.work()
    await webhooks.untilReceived(6)
    const told = Object.fromEntries(webhooks.receiver.received.map(({ type, data }) => [type, data]))
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

it('an incident that ends by its time has ended once', async () => {
  const { endpointId } = await webhooks.make(['incident.opened', 'incident.closed'])
  const until = new Date(Date.now() + 60_000)
  const incidentId = await webhooks.inTx((tx) =>
    announceIncident(tx, { level: 'trouble', message: 'MTN is slow', until, actor: 'test' }),
  )
  await webhooks.work()
  await webhooks.untilReceived(1)
  await sql`update incidents set shown_until = date_trunc('milliseconds', clock_timestamp()) where id = ${incidentId}`.execute(
    webhooks.database.ownerDb,
  )
  await webhooks.work()
  await webhooks.untilReceived(2)
  await webhooks.work()
  await webhooks.untilEnded(endpointId)
  expect(webhooks.typesOf()).toEqual(['incident.opened', 'incident.closed'])
})

it('an endpoint that is claimed while events are made gets them', async () => {
  const { endpointId } = await webhooks.make(['order.processing'])
  await webhooks.queueTest(endpointId)
  await webhooks.move(await webhooks.placeOrder(), 'pending', 'processing')
  let claimed = 0
  const claiming = webhooks.db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      // The first rows are those of the snapshot in which events are made.
      if (result.rows.length > 0) claimed += (await claimEndpoints(webhooks.db, { healthy: 1, failing: 0 })).length
      return result
    },
  })
  await makeWebhookEvents(claiming, products)
  expect(claimed).toBe(1)
  expect(await webhooks.deliveriesOf(endpointId)).toHaveLength(2)
})

it('a worker that is killed while it makes events leaves none out and makes none twice', async () => {
  await webhooks.make(['order.processing'])
  const orders = [await webhooks.placeOrder(), await webhooks.placeOrder()]
  await webhooks.move(orders[0] ?? '', 'pending', 'processing')
  const broken = webhooks.db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      if ((result.numAffectedRows ?? 0n) > 0n) throw new Error('killed')
      return result
    },
  })
  await expect(makeWebhookEvents(broken, products)).rejects.toThrow('killed')
  // A transaction that began before the look and commits after it.
  await webhooks.inTx(async (tx) => {
    await moveOrders(tx, 'pending', 'processing', 'test', [{ orderId: orders[1] ?? '', reason: null }])
    await makeWebhookEvents(webhooks.db, products)
  })
  await webhooks.work()
  await webhooks.untilReceived(2)
  await webhooks.work()
  expect(webhooks.receiver.received).toHaveLength(2)
  expect(new Set(webhooks.receiver.received.map(({ data }) => data['order_id']))).toEqual(new Set(orders))
})

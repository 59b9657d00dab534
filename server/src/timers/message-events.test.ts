import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeAccount } from '../../test/make-account.ts'
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts'
import { makeEndpoint } from '../notices/webhooks/endpoints.ts'
import { placeTestOrders } from '../orders/intake/place-test-orders.fixture.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { parseSecretsKeys } from '../platform/secrets/secrets-keys.ts'
import { products } from '../products/products.ts'
import { makeWebhookEvents } from './webhook-timers.ts'

let database: TestDatabase
const db = () => database.db
const makeReseller = () => makeAccount(db(), { balancePesewas: 1_000 })

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

/** A campaign of 250 messages that a supplier has taken. */
async function makeCampaign(accountId: string) {
  const [order] = await placeTestOrders(db(), accountId, ['0241234567'])
  if (!order) throw new Error('no order was placed')
  await sql`
    insert into sms_campaigns (id, account_id, status, source, sender, message, encoding, segment_rule, segments, recipients,
      recipients_count, credits_charged, open_count, is_bulk)
    select ${order.orderId}, ${accountId}, 'processing', 'api', 'SHOP', 'Hello', 'gsm7', 'standard', 1,
      array_agg('233241' || lpad(n::text, 6, '0')), 250, 250, 0, false from generate_series(1, 250) as n`.execute(db())
  await sql`
    insert into sms_messages (campaign_id, n, recipient, network, is_bulk, status, submit, supplier)
    select id, n, recipient, 'MTN', false, 'sent', 'answered', 'smsc'
    from sms_campaigns, unnest(recipients) with ordinality as wanted (recipient, n) where id = ${order.orderId}`.execute(db())
  return order
}

const end = (campaignId: string, status: string, from: number, to: number) =>
  sql`update sms_messages set status = ${status}, status_updated_at = clock_timestamp()
    where campaign_id = ${campaignId} and n between ${from} and ${to}`.execute(db())

async function eventsOf(accountId: string) {
  await makeWebhookEvents(db(), products)
  const { rows } = await sql<{ type: string; data: { messages: { place: number; status: string }[] } }>`
    select type, data from webhook_events where account_id = ${accountId} order by type, (data -> 'messages' -> 0 ->> 'place')::integer`.execute(
    db(),
  )
  return rows
}

it('tells of each message that ended once, up to 100 in an event, without its number', async () => {
  const [{ accountId }, { accountId: otherId }] = await Promise.all([makeReseller(), makeReseller()])
  await inTransaction(db(), (tx) =>
    makeEndpoint(
      tx,
      { accountId, url: 'http://localhost:9', events: ['message.delivered', 'message.failed'] },
      { secretsKeys: parseSecretsKeys(Buffer.alloc(32, 1).toString('base64'), 'SECRETS_KEY'), isLive: false, actor: 'test' },
    ),
  )
  const { orderId, reference } = await makeCampaign(accountId)
  await end((await makeCampaign(otherId)).orderId, 'delivered', 1, 250)
  await end(orderId, 'delivered', 1, 100)
  await end(orderId, 'delivered', 101, 230)
  await end(orderId, 'expired', 231, 231)
  await end(orderId, 'undelivered', 232, 232)
  const events = await eventsOf(accountId)
  expect(events.map(({ type, data }) => [type, data.messages.length, data.messages[0]?.place])).toEqual([
    ['message.delivered', 100, 1],
    ['message.delivered', 100, 101],
    ['message.delivered', 30, 201],
    ['message.failed', 2, 231],
  ])
  expect(events.at(-1)?.data).toEqual({
    campaign_id: orderId,
    reference,
    messages: [
      { place: 231, status: 'expired', at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) },
      { place: 232, status: 'undelivered', at: expect.any(String) },
    ],
  })
  expect(JSON.stringify(events)).not.toContain('233241')
  // A change that ends nothing, as the forgetting of numbers, is no news.
  await sql`update sms_messages set reason = 'again' where campaign_id = ${orderId}`.execute(db())
  expect(await eventsOf(accountId)).toHaveLength(4)
  const { rows } =
    await sql`select from webhook_messages union all select from webhook_events where account_id = ${otherId}`.execute(db())
  expect(rows).toEqual([])
})

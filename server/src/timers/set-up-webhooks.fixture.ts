import { sql } from 'kysely'
import { pino } from 'pino'
import { Agent } from 'undici'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { makeAccount } from '../../test/make-account.ts'
import { untilTrue } from '../../test/patience.ts'
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts'
import { listDeliveries } from '../notices/webhooks/deliveries.ts'
import { makeEndpoint, queueTestEvent, readEndpoint } from '../notices/webhooks/endpoints.ts'
import { type EventType, eventNames } from '../notices/webhooks/event-types.ts'
import { openWebhookSender, type WebhookSender, type WebhookSenderDeps } from '../notices/webhooks/send-webhooks.ts'
import { placeTestOrders } from '../orders/intake/place-test-orders.fixture.ts'
import { moveOrders } from '../orders/settlement/move-orders.ts'
import type { Tx } from '../platform/database/database.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { parseSecretsKeys } from '../platform/secrets/secrets-keys.ts'
import { products } from '../products/products.ts'
import { startWebhookReceiver, type WebhookReceiver } from './webhook-receiver.fixture.ts'
import { makeWebhookEvents } from './webhook-timers.ts'

export const secretsKeys = parseSecretsKeys(Buffer.alloc(32, 1).toString('base64'), 'SECRETS_KEY')

type Parts = {
  readonly db: () => TestDatabase['db']
  readonly receiver: () => WebhookReceiver
  readonly accountId: () => string
  readonly sender: () => WebhookSender
}

/** Writes events of an account by the server's own functions. */
function makeActs({ db, receiver, accountId, sender }: Parts) {
  const inTx = <T>(act: (tx: Tx) => Promise<T>) => inTransaction(db(), act)
  return {
    inTx,
    make: (events: readonly EventType[] = eventNames, { of = accountId(), url = receiver().url, isLive = false } = {}) =>
      inTx((tx) => makeEndpoint(tx, { accountId: of, url, events }, { secretsKeys, isLive, actor: 'test' })),
    queueTest: (endpointId: string) => inTx(async (tx) => queueTestEvent(tx, await readEndpoint(tx, endpointId))),
    /** Makes events of what happened, and sends what is due, as the timers of a worker do. Nothing waits for its next try. */
    async work(by = sender()) {
      await makeWebhookEvents(db(), products)
      await sql`update webhook_deliveries set next_try_at = '-infinity' where state = 'waiting'`.execute(db())
      await sql`update webhook_endpoints set next_try_at = '-infinity'`.execute(db())
      await by.look()
    },
    async placeOrder(of = accountId(), status: 'pending' | 'queued' = 'pending'): Promise<string> {
      const [order] = await placeTestOrders(db(), of, ['0241234567'], { status })
      return order?.orderId ?? ''
    },
    move: (orderId: string, ...states: Parameters<typeof moveOrders>[2][]) =>
      inTx(async (tx) => {
        const [from, ...rest] = states
        let last = from
        for (const to of rest) {
          if (last) await moveOrders(tx, last, to, 'test', [{ orderId, reason: null }])
          last = to
        }
      }),
  }
}

/** What a test waits for. */
function makeWaits({ db, receiver }: Pick<Parts, 'db' | 'receiver'>) {
  const deliveriesOf = async (endpointId: string) => (await listDeliveries(db(), { endpointId, limit: 100 })).deliveries
  const typesOf = (of = receiver()) => of.received.map(({ type }) => type)
  return {
    deliveriesOf,
    typesOf,
    untilReceived: (count: number, of = receiver()) =>
      untilTrue(
        () => of.received.length >= count,
        () => `only ${typesOf(of).join()} came`,
      ),
    untilEnded: (endpointId: string) =>
      untilTrue(
        async () => (await deliveriesOf(endpointId)).every(({ state }) => state === 'delivered'),
        () => 'something waits',
      ),
    untilTried: (endpointId: string) =>
      untilTrue(
        async () => (await deliveriesOf(endpointId))[0]?.tries === 1,
        () => 'nothing was tried',
      ),
  }
}

function makeSenders(db: Parts['db']) {
  const paused: { reason: string; host: string }[] = []
  const agents: Agent[] = []
  function openSender(dispatcher = new Agent(), onTried?: WebhookSenderDeps['onTried']): WebhookSender {
    agents.push(dispatcher)
    const log = pino({ level: 'silent' })
    const notifyOfPause = async (_tx: Tx, notice: { reason: string; host: string }) => void paused.push(notice)
    return openWebhookSender({ db: db(), log, secretsKeys, dispatcher, onTried, notifyOfPause })
  }
  return { openSender, paused, agents }
}

/** Registers what tests of webhooks need: a database for the file; an account, a receiver and a sender for each test. */
export function setUpWebhooks() {
  let database: TestDatabase
  let receiver: WebhookReceiver
  let accountId: string
  let sender: WebhookSender
  const db = () => database.db
  const makeReseller = () => makeAccount(db(), { balancePesewas: 100_000 })

  const { openSender, paused, agents } = makeSenders(db)

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

  const parts = { db, receiver: () => receiver, accountId: () => accountId, sender: () => sender }
  return {
    ...makeActs(parts),
    ...makeWaits(parts),
    get database() {
      return database
    },
    get db() {
      return database.db
    },
    get receiver() {
      return receiver
    },
    get accountId() {
      return accountId
    },
    get sender() {
      return sender
    },
    paused,
    makeReseller,
    openSender,
    /** Waits until the sender of the test has ended, and opens another one in its place. */
    async changeSender() {
      await sender.stop()
      sender = openSender()
    },
  }
}

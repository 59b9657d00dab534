import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { TestBrowser } from '../../../test/open-browser.ts'
import { untilTrue } from '../../../test/patience.ts'
import { setUpPeople, testPassword } from '../../../test/set-up-people.ts'
import { creditWallet } from '../../money/credit-wallet.ts'
import { placeTestOrders } from '../../orders/intake/place-test-orders.fixture.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { newId } from '../../platform/database/new-id.ts'
import { queuePushes } from '../../timers/push-timers.ts'
import { resetSecondFactor } from '../staff/reset-second-factor.ts'
import { bodyOf, startPushReceiver, type TestSubscription } from './push-receiver.fixture.ts'
import { sendPushes } from './send-pushes.ts'

const shop = setUpPeople()
const all = ['delivered', 'failed', 'credited']
let service: Awaited<ReturnType<typeof startPushReceiver>>
let ama: TestBrowser
let accountId: string
let otherAccountId: string

const accountOf = async (email: string) =>
  (await shop.db.selectFrom('accounts').select('id').where('email', '=', email).executeTakeFirstOrThrow()).id

beforeAll(async () => {
  service = await startPushReceiver(shop.app.dataDir)
  ama = await shop.makeMember('ama@example.test')
  await shop.makeMember('kofi@example.test')
  accountId = await accountOf('ama@example.test')
  otherAccountId = await accountOf('kofi@example.test')
  for (const id of [accountId, otherAccountId])
    await inTransaction(shop.db, (tx) => creditWallet(tx, { accountId: id, purse: 'main', amount: 100_000, actor: 'test' }))
})
beforeEach(() => sql`delete from push_devices`.execute(shop.db))
afterAll(() => service.close())

const subscribe = (subscription: TestSubscription, kinds: readonly string[] = all, by = ama) =>
  by.ask('POST', '/app/api/push', bodyOf(subscription, kinds))
const send = () =>
  sendPushes({
    db: shop.db,
    log: pino({ level: 'silent' }),
    secretsKeys: shop.people.secretsKeys,
    publicUrl: 'https://shop.example.com',
    dispatcher: service.dispatcher,
  })
const tell = async () => {
  await queuePushes(shop.db)
  await send()
}

const untilWaiting = (count: number) =>
  untilTrue(
    async () => {
      const { rows } = await sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(shop.db)
      return rows.length >= count
    },
    () => `there are never ${count} that wait`,
  )

/** Places an order, as if bought in the app or by a program, and ends it. */
async function end(to: 'completed' | 'failed', { recipient = '0241234567', source = 'dashboard', of = accountId } = {}) {
  const { ownerDb } = shop.app.database
  const [order] = await placeTestOrders(shop.db, of, [recipient])
  const orderId = order?.orderId ?? ''
  await sql`update orders set source = ${source}, status = ${to} where id = ${orderId}`.execute(ownerDb)
  await sql`delete from open_orders where order_id = ${orderId}`.execute(ownerDb)
  await sql`insert into order_events (order_id, from_status, to_status, actor) values (${orderId}, 'processing', ${to}, 'worker')`.execute(
    ownerDb,
  )
  return orderId
}

describe('POST /app/api/push', () => {
  it('switches push notices on for this browser, DELETE off again', async () => {
    const kindsOf = async (by = ama) => (await by.ask('GET', '/app/api/push')).body.data.kinds as string[]
    expect(await kindsOf()).toEqual([])
    const { body } = await subscribe(service.subscribe(), ['failed'])
    expect(body.data).toEqual({ key: expect.stringMatching(/^[\w-]{87}$/), kinds: ['failed'] })
    await subscribe(service.subscribe(), ['delivered', 'credited'])
    expect(await kindsOf()).toEqual(['delivered', 'credited'])
    expect((await ama.ask('DELETE', '/app/api/push')).body.data.kinds).toEqual([])
  })

  it('takes it twice at the same moment, from one browser and from two, and keeps the address once', async () => {
    const kofi = await shop.browser()
    await kofi.ask('POST', '/app/api/sign-in', { email: 'kofi@example.test', password: testPassword })
    for (const others of [ama, kofi]) {
      const subscription = service.subscribe()
      const answers = await Promise.all([ama, others, ama, others].map((by) => subscribe(subscription, all, by)))
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
      expect(await shop.db.selectFrom('push_devices').select('endpoint').execute()).toHaveLength(1)
    }
  })

  it.each(['signing out', 'a reset of the second factor'])(
    'ends with its session: %s at the same moment fails neither',
    async (how) => {
      const { ownerDb } = shop.app.database
      const email = `abena-${how.length}@example.test`
      const abena = await shop.makeMember(email)
      await shop.db.updateTable('persons').set({ two_factor_enabled: true }).where('email', '=', email).execute()
      const endSession = () =>
        how === 'signing out'
          ? abena.ask('POST', '/app/api/sign-out', {}).then(({ status }) => status)
          : inTransaction(shop.db, (tx) => resetSecondFactor(tx, { email, reason: 'lost', actor: 'test' })).then(() => 200)
      const stored = async () => (await shop.db.selectFrom('push_devices').select('session_id').execute()).length
      await subscribe(service.subscribe(), all, abena)
      const next = service.subscribe()
      const { endpoint } = bodyOf(next, all)
      const { both } = await ownerDb.transaction().execute(async (tx) => {
        // While this row is not committed, the insert of another device with the same address waits.
        await sql`
        insert into push_devices (session_id, person_id, endpoint, public_key, auth_secret, kinds)
        select id, person_id, ${endpoint}, 'k', 's', ${all}::text[] from person_sessions
        where person_id = (select id from persons where email = 'ama@example.test') limit 1`.execute(tx)
        const subscribed = subscribe(next, all, abena)
        await untilWaiting(1)
        const ended = endSession()
        await untilWaiting(2)
        await sql`delete from push_devices where endpoint = ${endpoint}`.execute(tx)
        return { both: Promise.all([subscribed.then(({ status }) => status), ended]) }
      })
      expect(await both).toEqual([200, 200])
      expect(await stored()).toBe(0)
    },
  )

  it('401: stores nothing for a session that ends at this moment', async () => {
    const { ownerDb } = shop.app.database
    const esi = await shop.makeMember('esi@example.test')
    const { late } = await ownerDb.transaction().execute(async (tx) => {
      await sql`
        delete from person_sessions where person_id = (select id from persons where email = 'esi@example.test')`.execute(tx)
      const answer = subscribe(service.subscribe(), all, esi)
      await untilWaiting(1)
      return { late: answer }
    })
    expect((await late).status).toBe(401)
  })

  it('400: takes no address but the name of a push service, and no keys but those of a browser', async () => {
    const right = bodyOf(service.subscribe(), all)
    const wrong = [
      { endpoint: 'http://push.example.test/x' },
      { endpoint: 'https://127.0.0.1/x' },
      { endpoint: 'https://2130706433/x' },
      { endpoint: 'https://[::1]/x' },
      { endpoint: 'https://localhost/x' },
      { endpoint: 'https://push.example.test:8443/x' },
      { endpoint: 'https://ama:secret@push.example.test/x' },
      { endpoint: 'nothing' },
      { public_key: 'AAAA' },
      { auth_secret: 'AAAA' },
      { kinds: [] },
      { kinds: ['everything'] },
    ]
    for (const change of wrong) {
      expect({ change, status: (await ama.ask('POST', '/app/api/push', { ...right, ...change })).status }).toEqual({
        change,
        status: 400,
      })
    }
  })

  it('keeps the private key of the installation sealed', async () => {
    await subscribe(service.subscribe())
    const { rows } = await sql<{ private_key: string }>`select private_key from push_keys`.execute(shop.db)
    expect(rows).toMatchObject([{ private_key: expect.stringMatching(/^v1\./) }])
  })
})

describe('a push notice', () => {
  it('is readable by the browser alone, signed by this installation, and names neither amount nor number', async () => {
    const subscription = service.subscribe()
    const { body } = await subscribe(subscription)
    const orderId = await end('completed')
    await tell()
    const [got, ...more] = service.receivedBy(subscription)
    expect(more).toEqual([])
    expect(got?.push).toEqual({ title: 'Delivered', body: 'Your order to …567 was delivered.', path: `/app/orders/${orderId}` })
    expect(got?.claims).toMatchObject({ aud: service.origin, sub: 'https://shop.example.com', key: body.data.key })
    expect(Number(got?.claims['exp']) - Date.now() / 1_000).toBeLessThan(86_400)
    expect(got?.plain.toString('latin1')).not.toContain('delivered')
  })

  it('comes once for each cause, and those that wait come in one message', async () => {
    const subscription = service.subscribe()
    await subscribe(subscription)
    await end('completed')
    await end('completed')
    await end('failed')
    await tell()
    await tell()
    expect(service.receivedBy(subscription).map(({ push }) => push)).toEqual([
      {
        title: 'News of your orders',
        body: 'Your order to …567 was not delivered. 2 orders were delivered.',
        path: '/app/orders',
      },
    ])
  })

  it('tells of a top-up that was credited', async () => {
    const subscription = service.subscribe()
    await subscribe(subscription)
    const id = newId()
    await sql`insert into top_ups (id, account_id, way, reference, page_reference, amount, fee, state, made_by, ended_at)
      values (${id}, ${accountId}, 'mtn-momo', ${id}, ${id}, 5000, 0, 'credited', 'ama', clock_timestamp())`.execute(
      shop.app.database.ownerDb,
    )
    await tell()
    expect(service.receivedBy(subscription).map(({ push }) => push)).toEqual([
      { title: 'Money is in', body: 'Your top-up is in your wallet.', path: '/app/wallet' },
    ])
  })

  it('comes only of what the person asked for, of orders of the own account, and of those that people bought', async () => {
    const subscription = service.subscribe()
    await subscribe(subscription, ['failed'])
    await end('completed')
    await end('failed', { of: otherAccountId })
    await end('failed', { source: 'api' })
    await tell()
    expect(service.receivedBy(subscription)).toEqual([])
  })

  it('does not come when the session has ended', async () => {
    const subscription = service.subscribe()
    const guest = await shop.browser()
    await guest.ask('POST', '/app/api/sign-in', { email: 'ama@example.test', password: 'correct horse battery' })
    await subscribe(subscription, all, guest)
    await guest.ask('POST', '/app/api/sign-out')
    expect(await shop.db.selectFrom('push_devices').selectAll().execute()).toEqual([])
    await end('failed')
    await tell()
    expect(service.receivedBy(subscription)).toEqual([])
  })
})

describe('a push service', () => {
  const devices = () => shop.db.selectFrom('push_devices').select(['failures', 'next_try_at']).execute()

  it.each([404, 410])('that answers %i ends the subscription', async (status) => {
    const subscription = service.subscribe()
    await subscribe(subscription)
    service.statuses.set(new URL(subscription.endpoint).pathname, status)
    await end('failed')
    await tell()
    expect(await devices()).toEqual([])
  })

  it('that fails is tried again later, and gets what waits then', async () => {
    const subscription = service.subscribe()
    const { pathname } = new URL(subscription.endpoint)
    await subscribe(subscription)
    service.statuses.set(pathname, 500)
    await end('failed')
    await tell()
    await send()
    expect(service.tries.get(pathname)).toBe(1)
    expect(await devices()).toMatchObject([{ failures: 1 }])
    service.statuses.delete(pathname)
    await sql`update push_devices set next_try_at = now()`.execute(shop.db)
    await send()
    expect(service.receivedBy(subscription)).toHaveLength(1)
    expect(await devices()).toMatchObject([{ failures: 0 }])
  })

  it('that never answers keeps nobody else waiting for long', async () => {
    const [silent, quick] = [service.subscribe(), service.subscribe()]
    await subscribe(silent)
    const guest = await shop.browser()
    await guest.ask('POST', '/app/api/sign-in', { email: 'ama@example.test', password: 'correct horse battery' })
    await subscribe(quick, all, guest)
    service.statuses.set(new URL(silent.endpoint).pathname, 0)
    await end('failed')
    await tell()
    expect(service.receivedBy(quick)).toHaveLength(1)
    expect((await devices()).map(({ failures }) => failures).toSorted((a, b) => a - b)).toEqual([0, 1])
  })

  it('on this machine or in a private network is never asked, whatever its name', async () => {
    const subscription = service.subscribe()
    await subscribe(subscription)
    // Both addresses are of this machine.
    for (const endpoint of [`https://localhost:${service.port}/x`, `https://127.0.0.1:${service.port}/x`]) {
      await sql`update push_devices set endpoint = ${endpoint}, next_try_at = now()`.execute(shop.db)
      await end('failed')
      await queuePushes(shop.db)
      await sendPushes({
        db: shop.db,
        log: pino({ level: 'silent' }),
        secretsKeys: shop.people.secretsKeys,
        publicUrl: 'https://shop.example.com',
      })
    }
    expect(service.tries.get('/x')).toBeUndefined()
    expect(await devices()).toMatchObject([{ failures: 2 }])
  })
})

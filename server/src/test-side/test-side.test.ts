import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, describe, expect, it } from 'vitest'
import { mustPassAudit } from '../../test/must-pass-audit.ts'
import { untilTrue } from '../../test/patience.ts'
import { setUpPeople } from '../../test/set-up-people.ts'
import { type RunningSimulator, startSimulator } from '../../test/start-simulator.ts'
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts'
import type { KeyType } from '../accounts/caller.ts'
import { readAccount } from '../accounts/find-account.ts'
import { makeKey } from '../accounts/make-key.ts'
import { setAccountStatus } from '../accounts/set-account-status.ts'
import { allAuditChecks } from '../all-audit-checks.ts'
import { type RunningApi, startApi } from '../api.ts'
import { connectAsApplication } from '../commands/frame/open-database.ts'
import { examineInstallation } from '../commands/run/doctor/examine-installation.ts'
import { readConfig } from '../config.ts'
import { openDemo } from '../demo/open-demo.fixture.ts'
import { runAudit } from '../money/audit.ts'
import type { Db } from '../platform/database/database.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { newId } from '../platform/database/new-id.ts'
import { stampMode } from '../platform/database/stamp-mode.ts'
import { keyFileOf, loadSecretsKeys } from '../platform/secrets/load-secrets-keys.ts'
import { writeSetting } from '../platform/settings/settings.ts'
import { airtimeBounds } from '../products/airtime/airtime.settings.ts'
import { copySuspensions, openRealSideFollower } from '../timers/follow-real-side.ts'
import { copyEndpoints } from '../timers/test-side-timers.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../timers/webhook-receiver.fixture.ts'
import { startWorker, type Worker } from '../worker.ts'

const log = pino({ level: 'silent' })
let dataDir: string
let simulator: RunningSimulator
let testDatabase: TestDatabase
let sideApi: RunningApi
let sideWorker: Worker
let receiver: WebhookReceiver

const shop = setUpPeople(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'makola-two-sides-'))
  simulator = await startSimulator({ timeScale: 0.1 })
  receiver = await startWebhookReceiver()
  testDatabase = await createTestDatabase()
  await stampMode(testDatabase.db, 'test')
  // Both sides have the same secrets keys.
  await loadSecretsKeys({ secretsKey: undefined, databaseUrl: undefined, dataDir })
  const config = readConfig({
    DATA_DIR: dataDir,
    PORT: '0',
    TLS: 'proxy',
    TRUSTED_PROXIES: 'loopback',
    SIMULATOR_URL: simulator.url,
    TEST_SIDE_OF: 'simulator',
  })
  await openDemo(testDatabase.db, dataDir)
  sideApi = await startApi({ config, database: { url: testDatabase.applicationUrl }, log })
  sideWorker = await startWorker(config, testDatabase.db, log)
  const [TEST_API_URL, TEST_DATABASE_URL] = [`http://127.0.0.1:${sideApi.port}`, testDatabase.applicationUrl]
  return { dataDir, environment: { TEST_API_URL, TEST_DATABASE_URL } }
})

afterAll(async () => {
  await sideWorker.stop()
  await Promise.all([receiver.close(), simulator.stop()])
  await mustPassAudit(testDatabase.db)
  await testDatabase.drop()
  await rm(dataDir, { recursive: true, force: true })
})

const countOrders = async (db: Db) =>
  Number((await db.selectFrom('orders').select(db.fn.countAll().as('count')).executeTakeFirstOrThrow()).count)
const foundBy = async (db: Db) => (await runAudit(db, allAuditChecks, { isFull: true })).checks['key_of_the_other_side']

/** Writes a prefix into the first key of a database. */
async function renameKey(db: Db, prefix: string): Promise<void> {
  const { id } = await db.selectFrom('api_keys').select('id').orderBy('id').limit(1).executeTakeFirstOrThrow()
  await db.updateTable('api_keys').set({ prefix }).where('id', '=', id).execute()
}

describe('a test key', () => {
  it('buys on the test side alone, to the delivery and its webhook, through the address of the real side', async () => {
    const ama = await shop.makeMember('ama@example.test')
    expect((await ama.ask('GET', '/app/api/test-side')).body.data).toEqual({ is_on: true, side: null })
    expect((await ama.ask('POST', '/app/api/test-side/money')).status).toBe(409)
    const { key } = (await ama.ask('POST', '/app/api/test-side/keys', { type: 'standard' })).body.data
    expect(key).toMatch(/^makola_test_\w{36}$/)
    await ama.ask('POST', '/app/api/webhooks', { url: receiver.url, events: ['order.completed'] })
    await copyEndpoints(shop.db, testDatabase.db)
    const packages = await shop.app.call('GET', '/packages', { key })
    expect(packages.headers['x-makola-mode']).toBe('simulated')
    const order = { network: 'Telecel', volume_gb: 1, recipient: '0201234567', reference: 'test-1' }
    const bought = await shop.app.call('POST', '/data/purchase', { key, body: order })
    expect([bought.status, bought.body.data.status]).toEqual([200, 'pending'])
    let status = ''
    await untilTrue(
      async () => {
        status = (await shop.app.call('GET', '/orders/test-1', { key })).body.data?.status ?? status
        return status === 'completed'
      },
      () => `the order is ${status}`,
    )
    await untilTrue(
      () => receiver.received.some(({ type, data }) => type === 'order.completed' && data['reference'] === 'test-1'),
      () => 'no webhook came',
    )
    expect([await countOrders(shop.db), await countOrders(testDatabase.db)]).toEqual([0, 1])
    const { side } = (await ama.ask('GET', '/app/api/test-side')).body.data
    expect(side).toMatchObject({
      orders: [{ reference: 'test-1', status: 'completed' }],
      keys: [{ type: 'standard', prefix: 'makola_test_' }],
    })
    expect(side.balance).toBeLessThan(1_000)
    expect((await ama.ask('POST', '/app/api/test-side/money')).body.data.side.balance).toBe(1_000)
    const kofi = await shop.makeMember('kofi@example.test')
    const end = `/app/api/test-side/keys/${side.keys[0].key_id}`
    expect((await kofi.ask('DELETE', end)).status).toBe(409)
    expect((await ama.ask('DELETE', end)).body.data.status).toBe('revoked')
    await untilTrue(
      async () => (await shop.app.call('GET', '/packages', { key })).headers['x-error-reason'] === 'key_revoked',
      () => 'the ended key still works',
    )
  })

  it('is made, and the test money filled up, once where two members do it at the same moment', async () => {
    const efua = await shop.makeMember('efua@example.test')
    /** Sends requests while a table cannot be written, so that all of them have begun before one goes on. */
    const together = async (locked: string, ask: () => Promise<{ status: number }>[]) => {
      const { asked } = await testDatabase.ownerDb.transaction().execute(async (tx) => {
        await sql.raw(`lock table ${locked} in share row exclusive mode`).execute(tx)
        const requests = ask()
        await untilTrue(
          async () => {
            const { rows } = await sql`
              select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
              testDatabase.ownerDb,
            )
            return rows.length >= requests.length
          },
          () => 'the requests do not wait',
        )
        return { asked: requests }
      })
      return (await Promise.all(asked)).map(({ status }) => status)
    }
    const make = (type: string) => efua.ask('POST', '/app/api/test-side/keys', { type })
    expect(await together('accounts', () => [make('standard'), make('sms')])).toEqual([200, 200])
    const { key } = (await make('standard')).body.data
    const body = { network: 'Telecel', volume_gb: 1, recipient: '0201234567', reference: 'test-twice' }
    expect((await shop.app.call('POST', '/data/purchase', { key, body })).status).toBe(200)
    await untilTrue(
      async () => (await shop.app.call('GET', '/orders/test-twice', { key })).body.data?.status === 'completed',
      () => 'the order has no end',
    )
    const fill = () => efua.ask('POST', '/app/api/test-side/money')
    expect(await together('wallets', () => [fill(), fill()])).toEqual([200, 200])
    expect((await efua.ask('GET', '/app/api/test-side')).body.data.side).toMatchObject({ balance: 1_000, sms_credits: 1_000 })
  })

  it('of a suspended account is answered 403, as its real ones, until the suspension ends', async () => {
    const abena = await shop.makeMember('abena@example.test')
    const { key } = (await abena.ask('POST', '/app/api/test-side/keys', { type: 'standard' })).body.data
    const { accountId } = await readAccount(shop.db, 'abena@example.test')
    for (const [status, reason] of [
      ['suspended', 'account_suspended'],
      ['active', undefined],
    ] as const) {
      await inTransaction(shop.db, (tx) => setAccountStatus(tx, { accountId, status, actor: 'test' }))
      await copySuspensions(shop.db, testDatabase.db)
      let answered: unknown
      await untilTrue(
        async () => {
          answered = (await shop.app.call('GET', '/packages', { key })).headers['x-error-reason']
          return answered === reason
        },
        () => `${status}: answered ${String(answered)}`,
      )
      expect(answered).toBe(reason)
    }
  })

  it('plays each ending of a bundle, airtime and a bill, and its vouchers are there at once', async () => {
    const esi = await shop.makeMember('esi@example.test')
    const makeKeyOf = async (type: KeyType) =>
      (await esi.ask('POST', '/app/api/test-side/keys', { type })).body.data.key as string
    const keys = { standard: await makeKeyOf('standard'), commission: await makeKeyOf('commission') }
    const ask = async (type: keyof typeof keys, method: string, path: string, body?: object) => {
      const { status, body: answer } = await shop.app.call(method, path, { key: keys[type], ...(body && { body }) })
      expect([path, status]).toEqual([path, 200])
      return answer.data
    }
    const bundle = { network: 'MTN', volume_gb: 1 }
    const { price } = (await ask('standard', 'GET', '/packages?network=MTN&size_gb=1')).packages[0]
    const airtime = { network: 'MTN', amount: 2 }
    const bill = { biller: 'dstv', amount: 3 }
    // The purchase, its recipient, where its order is looked up, what becomes of it, and what it costs in the end.
    const endings = [
      ['/data/purchase', bundle, { recipient: '0241234903' }, '/orders', 'completed', price],
      ['/data/purchase', bundle, { recipient: '0241234907' }, '/orders', 'refunded', 0],
      ['/airtime/purchase', airtime, { beneficiary_phone: '0241234567' }, '/airtime/orders', 'completed', 2],
      ['/airtime/purchase', airtime, { beneficiary_phone: '0241234901' }, '/airtime/orders', 'refunded', 0],
      ['/utilities/pay', bill, { account: '7023456789' }, '/utilities/orders', 'completed', 3],
      ['/utilities/pay', bill, { account: '7023456901' }, '/utilities/orders', 'refunded', 0],
    ] as const
    const placed = await Promise.all(
      endings.map(async ([path, order, recipient, lookUp, wanted], index) => {
        const type = path === '/data/purchase' ? 'standard' : 'commission'
        const { reference } = await ask(type, 'POST', path, { ...order, ...recipient, reference: `ending-${index}` })
        return { reference, wanted, read: () => ask(type, 'GET', `${lookUp}/${reference}`) }
      }),
    )
    const { types } = await ask('standard', 'GET', '/resultschecker/types')
    const vouchers = await ask('standard', 'POST', '/resultschecker/purchase', {
      typeId: types[0].type_id,
      quantity: 2,
      reference: 'ending-vouchers',
    })
    expect([vouchers.order.status, vouchers.vouchers.length]).toEqual(['completed', 2])
    // Looked up where no limit counts the looks.
    const references = placed.map(({ reference }) => reference)
    const statuses = async () => {
      const rows = await testDatabase.db.selectFrom('orders').select('status').where('reference', 'in', references).execute()
      return rows.map(({ status }) => status).toSorted()
    }
    const ended = placed.map(({ wanted }) => wanted).toSorted()
    let seen: readonly string[] = []
    await untilTrue(
      async () => {
        seen = await statuses()
        return seen.join() === ended.join()
      },
      () => `the orders are ${seen.join()}`,
    )
    for (const { reference, wanted, read } of placed) {
      const order = await read()
      expect([reference, order.status]).toEqual([reference, wanted])
      const saysWhy = wanted === 'refunded' && reference !== 'ending-1'
      expect([reference, 'reason' in order]).toEqual([reference, saysWhy])
    }
    const spent = endings.reduce((sum, [, , , , , cost]) => sum + cost, vouchers.order.total_paid)
    expect((await ask('standard', 'GET', '/wallet/balance')).balance).toBeCloseTo(1_000 - spent, 2)
  })

  it('buys at the prices of the real side within a minute', async () => {
    const yaa = await shop.makeMember('yaa@example.test')
    const { key } = (await yaa.ask('POST', '/app/api/test-side/keys', { type: 'standard' })).body.data
    const secretsKeys = await loadSecretsKeys({ secretsKey: undefined, databaseUrl: undefined, dataDir })
    const follow = openRealSideFollower({ db: shop.db, testDb: testDatabase.db, secretsKeys })
    const prices = { price_customer: 999, price_agent: 888, price_dealer: 777 }
    const typeId = newId()
    await shop.db
      .insertInto('voucher_types')
      .values({ id: typeId, name: 'WASSCE', ...prices })
      .execute()
    await shop.db
      .insertInto('packages')
      .values({ id: newId(), network: 'MTN', volume_gb: 7.5, ...prices, stock: null })
      .execute()
    await writeSetting(shop.db, airtimeBounds.MTN.maximum, 20, 'ama')
    const realVersion = () =>
      sql<{ state: string }>`select epoch || ' ' || catalogue_version as state from cache_epoch`.execute(shop.db)
    const before = await realVersion()
    await follow()
    const ask = async (method: string, path: string, body?: object) => {
      let answer = await shop.app.call(method, path, { key, ...(body && { body }) })
      // Looks may use up the limit of a second.
      for (; answer.status === 429; answer = await shop.app.call(method, path, { key, ...(body && { body }) })) await sleep(1_000)
      return answer
    }
    const sold = (side: Db) =>
      side
        .selectFrom('packages')
        .select(['network', 'volume_gb', 'price_customer', 'price_agent', 'price_dealer'])
        .where('is_available', '=', true)
        .orderBy('network')
        .orderBy('volume_gb')
        .execute()
    expect(await sold(testDatabase.db)).toEqual(await sold(shop.db))
    await untilTrue(
      async () => (await ask('GET', '/packages?size_gb=7.5')).body.data.packages[0]?.price === 9.99,
      () => 'the test side has other packages',
    )
    const order = { network: 'MTN', volume_gb: 7.5, recipient: '0241234567', reference: 'of-the-real-side' }
    expect((await ask('POST', '/data/purchase', order)).body.data).toMatchObject({ price: 9.99, new_balance: 990.01 })
    const vouchers = await ask('POST', '/resultschecker/purchase', { typeId, quantity: 31, reference: 'of-the-real-side-2' })
    expect(vouchers.body.data.order).toMatchObject({ type_name: 'WASSCE', unit_price: 9.99, quantity: 31 })
    expect((await ask('GET', '/resultschecker/types')).body.data.types).toContainEqual(
      expect.objectContaining({ type_id: typeId, available_count: 19 }),
    )
    await untilTrue(
      async () => (await ask('GET', '/orders/of-the-real-side')).body.data.status === 'completed',
      () => 'the bundle of the real side is not delivered',
    )
    expect((await realVersion()).rows).toEqual(before.rows)
  })

  it('that is called too often is answered 429 a second later, and others go on', async () => {
    const kwame = await shop.makeMember('kwame@example.test')
    const makeKeyOf = async (type: KeyType) =>
      (await kwame.ask('POST', '/app/api/test-side/keys', { type })).body.data.key as string
    const [busy, other] = [await makeKeyOf('standard'), await makeKeyOf('commission')]
    const call = async () => {
      const askedAt = performance.now()
      const { headers } = await shop.app.call('GET', '/wallet/balance', { key: busy })
      return { headers, milliseconds: performance.now() - askedAt }
    }
    const calls = await Promise.all(Array.from({ length: 60 }, call))
    const refused = calls.filter(({ headers }) => headers['x-error-reason'] === 'rate_limited' && headers['retry-after'] === '1')
    expect(refused.length).toBeGreaterThan(0)
    // Timers may fire a millisecond early.
    expect(Math.min(...refused.map(({ milliseconds }) => milliseconds))).toBeGreaterThan(990)
    await untilTrue(
      async () => (await shop.app.call('GET', '/utilities/billers', { key: other })).status === 200,
      () => 'another test key is refused, too',
    )
  })

  it('that nobody has is answered 401, as any other', async () => {
    const { status, headers } = await shop.app.call('GET', '/packages', { key: makeKey('makola', 'standard', true) })
    expect([status, headers['x-error-reason']]).toEqual([401, 'invalid_key'])
  })
})

describe('a real key', () => {
  it('buys on the real side alone', async () => {
    const before = await countOrders(testDatabase.db)
    const { key } = await shop.app.makeReseller()
    await shop.app.untilSeen()
    const order = { network: 'Telecel', volume_gb: 1, recipient: '0201234567', reference: 'real-1' }
    expect((await shop.app.call('POST', '/data/purchase', { key, body: order })).status).toBe(200)
    expect([await countOrders(shop.db), await countOrders(testDatabase.db)]).toEqual([1, before])
  })
})

describe('the audit', () => {
  it('finds a key of the other side on each side', async () => {
    expect([await foundBy(shop.db), await foundBy(testDatabase.db)]).toEqual([0, 0])
    await renameKey(shop.db, 'makola_cs_test_')
    await renameKey(testDatabase.db, 'makola_live_')
    expect([await foundBy(shop.db), await foundBy(testDatabase.db)]).toEqual([1, 1])
    await renameKey(shop.db, 'makola_live_')
    await renameKey(testDatabase.db, 'makola_test_')
  })
})

describe('doctor', () => {
  const examine = async (changes: Record<string, string> = {}) => {
    const { database, dataDir: folder } = shop.app
    const findings = await examineInstallation({
      DATABASE_URL: database.applicationUrl,
      DATA_DIR: folder,
      SECRETS_KEY_FILE: keyFileOf(dataDir),
      TEST_API_URL: `http://127.0.0.1:${sideApi.port}`,
      TEST_DATABASE_URL: testDatabase.applicationUrl,
      ...changes,
    })
    return findings.filter(({ topic }) => topic === 'test side')
  }
  const says = (text: string, level = 'warning') => [{ level, topic: 'test side', message: expect.stringContaining(text) }]

  it('says whether the test side works, and what to do where it does not', async () => {
    expect(await examine({ TEST_API_URL: '', TEST_DATABASE_URL: '' })).toEqual([])
    const gone = new URL(testDatabase.applicationUrl)
    gone.pathname = '/makola_gone'
    expect(await examine({ TEST_DATABASE_URL: gone.href })).toEqual(says('Its database cannot be used'))
    expect(await examine({ TEST_DATABASE_URL: shop.app.database.applicationUrl })).toEqual(says('not stamped', 'problem'))
    // The worker of this file runs on the connections of the test.
    expect(await examine()).toEqual(says('No worker works on it'))
    const worker = connectAsApplication(testDatabase.applicationUrl, { poolSize: 1, applicationName: 'makola worker' })
    await sql`select 1`.execute(worker)
    expect(await examine()).toEqual(says('rules hold for its books', 'ok'))
    expect(await examine({ TEST_API_URL: 'http://127.0.0.1:9' })).toEqual(says('nobody answers there'))
    await renameKey(testDatabase.db, 'makola_live_')
    expect(await examine()).toEqual(says('key of the other side: 1', 'problem'))
    await renameKey(testDatabase.db, 'makola_test_')
    await sql`insert into schema_migrations (name, timestamp) values ('9999_of_later', '')`.execute(testDatabase.ownerDb)
    expect(await examine()).toEqual(says('9999_of_later. Upgrade both together'))
    await sql`update schema_migrations set name = 'moved' where name = '0001_baseline'`.execute(testDatabase.ownerDb)
    expect(await examine()).toEqual(says('lacks 0001_baseline'))
    await sql`update schema_migrations set name = '0001_baseline' where name = 'moved'`.execute(testDatabase.ownerDb)
    await sql`delete from schema_migrations where name = '9999_of_later'`.execute(testDatabase.ownerDb)
    await worker.destroy()
  })
})

describe('without its test side', () => {
  it('the real side is ready, and answers test keys 503', async () => {
    await sideApi.close()
    const { status, headers } = await shop.app.call('GET', '/packages', { key: makeKey('makola', 'standard', true) })
    expect([status, headers['x-error-reason']]).toEqual([503, 'overloaded'])
    expect((await shop.app.call('GET', '/packages', { key: makeKey('makola', 'standard') })).status).toBe(401)
    expect((await shop.app.api.app.inject({ url: '/readyz' })).statusCode).toBe(200)
  })
})

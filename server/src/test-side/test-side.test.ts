import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { pino } from 'pino'
import { afterAll, describe, expect, it } from 'vitest'
import { mustPassAudit } from '../../test/must-pass-audit.ts'
import { untilTrue } from '../../test/patience.ts'
import { setUpPeople } from '../../test/set-up-people.ts'
import { type RunningSimulator, startSimulator } from '../../test/start-simulator.ts'
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts'
import type { KeyType } from '../accounts/caller.ts'
import { readAccount } from '../accounts/find-account.ts'
import { keyPrefixOf, makeKey, openTestKeyCheck } from '../accounts/make-key.ts'
import { setAccountStatus } from '../accounts/set-account-status.ts'
import { allAuditChecks } from '../all-audit-checks.ts'
import { type RunningApi, startApi } from '../api.ts'
import { readConfig } from '../config.ts'
import { openDemo } from '../demo/open-demo.fixture.ts'
import { runAudit } from '../money/audit.ts'
import type { Db } from '../platform/database/database.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { stampMode } from '../platform/database/stamp-mode.ts'
import { loadSecretsKeys } from '../platform/secrets/load-secrets-keys.ts'
import { copyEndpoints, copySuspensions } from '../timers/test-side-timers.ts'
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
  const environment = {
    TEST_API_URL: `http://127.0.0.1:${sideApi.port}`,
    TEST_DATABASE_URL: testDatabase.applicationUrl,
  }
  return { dataDir, environment }
})

afterAll(async () => {
  await sideWorker.stop()
  await receiver.close()
  await simulator.stop()
  await mustPassAudit(testDatabase.db)
  await testDatabase.drop()
  await rm(dataDir, { recursive: true, force: true })
})

const countOrders = async (db: Db) =>
  Number((await db.selectFrom('orders').select(db.fn.countAll().as('count')).executeTakeFirstOrThrow()).count)
const foundBy = async (db: Db) => (await runAudit(db, allAuditChecks, { isFull: true })).checks['key_of_the_other_side']

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
        status = (await shop.app.call('GET', '/orders/test-1', { key })).body.data.status
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

  it('never begins as a test key does, whatever the prefix and the secret', () => {
    const types = fc.constantFrom<KeyType>('standard', 'sms', 'commission')
    const prefixes = fc.stringMatching(/^[a-z][a-z0-9]{1,19}$/)
    fc.assert(
      fc.property(prefixes, prefixes, types, fc.string(), (prefix, other, type, secret) => {
        const isTestKey = openTestKeyCheck(prefix)
        expect(isTestKey(makeKey(prefix, type, true))).toBe(true)
        expect(isTestKey(`${keyPrefixOf(prefix, type)}${secret}`)).toBe(false)
        expect(isTestKey(makeKey(other, type, true))).toBe(other === prefix)
      }),
    )
  })
})

describe('the audit', () => {
  it('finds a key of the other side on each side', async () => {
    expect([await foundBy(shop.db), await foundBy(testDatabase.db)]).toEqual([0, 0])
    const [real] = await shop.db.selectFrom('api_keys').select('id').execute()
    const [test] = await testDatabase.db.selectFrom('api_keys').select('id').execute()
    await shop.db
      .updateTable('api_keys')
      .set({ prefix: 'makola_cs_test_' })
      .where('id', '=', real?.id ?? '')
      .execute()
    await testDatabase.db
      .updateTable('api_keys')
      .set({ prefix: 'makola_live_' })
      .where('id', '=', test?.id ?? '')
      .execute()
    expect([await foundBy(shop.db), await foundBy(testDatabase.db)]).toEqual([1, 1])
    await shop.db
      .updateTable('api_keys')
      .set({ prefix: 'makola_live_' })
      .where('id', '=', real?.id ?? '')
      .execute()
    await testDatabase.db
      .updateTable('api_keys')
      .set({ prefix: 'makola_test_' })
      .where('id', '=', test?.id ?? '')
      .execute()
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

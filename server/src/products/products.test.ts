import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { pino } from 'pino'
import { Agent, request } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { patienceSeconds } from '../../test/patience.ts'
import { startTestApp, type TestApp } from '../../test/start-test-app.ts'
import { auditChecksOf } from '../all-audit-checks.ts'
import { rateLimitsOf, rateLimitsSetting } from '../all-settings.ts'
import { readConfig } from '../config.ts'
import { runAudit } from '../money/audit.ts'
import { amountOf, pesewasOf } from '../orders/order.ts'
import { raiseEpoch } from '../platform/database/epoch.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { absentParts } from '../platform/http/document/absent-parts.ts'
import { checkSettingValue, writeSetting } from '../platform/settings/settings.ts'
import { startWorker, type Worker } from '../worker.ts'
import type { ProductApiDeps } from './product.ts'
import { products } from './products.ts'
import { toy, toyEnabled } from './toy.fixture.ts'

describe('the list of products', () => {
  it('names each once, as the kind of its orders', () => {
    expect(new Set(products.map(({ name }) => name)).size).toBe(products.length)
    for (const product of products)
      expect(product.openForApi(absentParts<ProductApiDeps>({ metrics: undefined })).kind.name).toBe(product.name)
  })

  it.each(products.map((product) => [product.name, product] as const))(
    'says of %s the unit in which it is paid',
    (name, product) => {
      expect(product.openForApi(absentParts<ProductApiDeps>({ metrics: undefined })).kind.unit).toBe(product.unit)
      expect(amountOf(products, { kind: name, price: 1 }).unit).toBe(product.unit)
    },
  )
})

it('an order’s price is in the unit of what sold it, which never becomes another', () => {
  const order = { kind: 'toy', price: 3, reference: 'three-toys' }
  expect(amountOf([...products, toy], order)).toEqual({ unit: 'pesewas', amount: 3 })
  expect(amountOf([...products, { name: 'toy', unit: 'credits' }], order)).toEqual({ unit: 'credits', amount: 3 })
  expect(pesewasOf(toy, order)).toBe(3)
  expect(() => pesewasOf({ name: 'toy', unit: 'credits' }, order)).toThrow('three-toys was paid in credits')
  for (const other of products) expect(() => pesewasOf(other, order)).toThrow('no product sells')
})

describe('a seventh product that is nothing but a descriptor', () => {
  const sold = [...products, toy]
  let app: TestApp
  let worker: Worker

  beforeAll(async () => {
    app = await startTestApp({ products: sold })
    await inTransaction(app.database.db, async (tx) => {
      await sql`insert into routes (supplier, product, network) values ('hubtel', 'toy', 'any')`.execute(tx)
      await raiseEpoch(tx)
    })
    const config = readConfig({ DATA_DIR: app.dataDir, SIMULATOR_URL: 'http://127.0.0.1:9' })
    worker = await startWorker(config, app.database.db, pino({ level: 'silent' }), { products: sold })
  })
  afterAll(async () => {
    await worker.stop()
    await app.close()
  })

  const buy = (key: string, reference: string, colour: string) =>
    app.call('POST', '/toys/purchase', { key, body: { colour, reference } })
  const balance = async (key: string) => (await app.call('GET', '/wallet/balance', { key })).body.data.balance
  const statusOf = async (key: string, reference: string) =>
    (await app.call('GET', `/toys/orders/${reference}`, { key })).body.data.status
  const audit = async () => (await runAudit(app.database.db, auditChecksOf(sold), { isFull: true })).checks

  /** The route is there from the moment at which the process has seen the epoch. */
  const untilSold = (key: string) =>
    expect.poll(async () => (await buy(key, 'the-first-toy', 'blue')).status, { timeout: patienceSeconds * 1_000 }).toBe(200)
  const untilStatus = (key: string, reference: string, status: string) =>
    expect.poll(() => statusOf(key, reference), { timeout: patienceSeconds * 1_000 }).toBe(status)

  it('is bought over HTTP, once per reference, and fulfilled', async () => {
    const { key } = await app.makeReseller()
    await untilSold(key)
    const again = await buy(key, 'the-first-toy', 'blue')
    expect(again).toMatchObject({ status: 200, body: { data: { is_replay: true, new_balance: 998.5 } } })
    expect((await buy(key, 'the-first-toy', 'green')).status).toBe(409)
    await untilStatus(key, 'the-first-toy', 'completed')
    expect(await balance(key)).toBe(998.5)
  })

  it('is refunded when it fails', async () => {
    const { key } = await app.makeReseller()
    expect((await buy(key, 'a-red-toy', 'red')).body.data.new_balance).toBe(998.5)
    await untilStatus(key, 'a-red-toy', 'refunded')
    expect(await balance(key)).toBe(1_000)
  })

  it('is held to its own switch', async () => {
    const { key } = await app.makeReseller()
    const bought = (reference: string) => buy(key, reference, 'blue').then(({ status }) => status)
    let tries = 0
    await writeSetting(app.database.db, toyEnabled, false, 'test')
    await expect.poll(() => bought(`switched-off-${++tries}`), { timeout: patienceSeconds * 1_000 }).toBe(503)
    await writeSetting(app.database.db, toyEnabled, true, 'test')
    await expect.poll(() => bought(`switched-on-${++tries}`), { timeout: patienceSeconds * 1_000 }).toBe(200)
  })

  it('is held to its own limit, for which an operator may set another number', async () => {
    const { key } = await app.makeReseller()
    const policy = async () => (await buy(key, 'a-counted-toy', 'blue')).headers['ratelimit-policy']
    expect(await policy()).toBe('"POST /toys/purchase";q=600;w=60')
    await writeSetting(app.database.db, rateLimitsOf(sold), { 'POST /toys/purchase': 1 }, 'test')
    await expect.poll(policy, { timeout: patienceSeconds * 1_000 }).toBe('"POST /toys/purchase";q=1;w=60')
    expect((await buy(key, 'a-counted-toy', 'blue')).status).toBe(429)
    expect(() => checkSettingValue(rateLimitsSetting, { 'POST /toys/purchase': 1 })).toThrow('GET /packages')
    await writeSetting(app.database.db, rateLimitsOf(sold), {}, 'test')
    await expect.poll(policy, { timeout: patienceSeconds * 1_000 }).toBe('"POST /toys/purchase";q=600;w=60')
  })

  it('refuses in its own words, which charges nothing', async () => {
    const { key } = await app.makeReseller()
    const { status, headers, body } = await buy(key, 'an-unseen-toy', 'ultraviolet')
    expect([status, headers['x-error-reason']]).toEqual([404, 'colour_unknown'])
    expect(body.error.message).toBe('No toy of this colour is made. This try charged nothing.')
    expect(await balance(key)).toBe(1_000)
  })

  it('stands in the documentation with its endpoints, its limit and its refusal', async () => {
    const dispatcher = new Agent({ connect: { ca: await readFile(join(app.dataDir, 'tls', 'ca.pem')) } })
    const read = async (page: string) => (await request(`${app.url}/docs/${page}`, { dispatcher })).body.text()
    expect(await read('limits')).toContain('<code>POST /toys/purchase</code>')
    expect(await read('errors')).toContain('<code>colour_unknown</code>')
    expect(await read('reference/toys')).toContain('No toy of this colour is made.')
    await dispatcher.close()
  })

  it('stands in the OpenAPI document', () => {
    const { paths } = app.api.app.swagger()
    expect(paths).toMatchObject({
      '/toys/purchase': { post: { operationId: 'purchaseToy' } },
      '/toys/orders/{reference}': { get: { operationId: 'findToy' } },
    })
  })

  it('is audited: its money, its references, the proof of its delivery, and its own rule', async () => {
    const { db, ownerDb } = app.database
    const { key } = await app.makeReseller()
    expect(Object.entries(await audit()).filter(([, bad]) => bad > 0)).toEqual([])
    await buy(key, 'an-audited-toy', 'red')
    await untilStatus(key, 'an-audited-toy', 'refunded')
    await sql`delete from order_references where reference = 'an-audited-toy'`.execute(db)
    await sql`update orders set details = '{}' where reference = 'an-audited-toy'`.execute(ownerDb)
    await sql`update attempts set outcome = 'failed' where order_id = (select id from orders where reference = 'the-first-toy')`.execute(
      db,
    )
    const found = await audit()
    expect(found).toMatchObject({
      reference_on_two_orders: 1,
      toy_without_colour: 1,
      completed_without_proof_of_delivery: 1,
    })
  })
})

import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeKeyFor } from '../../../test/makers.ts'
import { mustPassAudit } from '../../../test/must-pass-audit.ts'
import { startTestApp, type TestApp } from '../../../test/start-test-app.ts'
import { newId } from '../../platform/database/new-id.ts'
import type { SecretsKeys } from '../../platform/secrets/secrets-keys.ts'
import { writeSetting } from '../../platform/settings/settings.ts'
import { resultsCheckerEnabled } from './results-checker.settings.ts'
import { keysOf, stockVouchers } from './stock-vouchers.fixture.ts'

let app: TestApp
let keys: SecretsKeys
const aSecond = () => new Promise((resolve) => setTimeout(resolve, 1_000))

beforeAll(async () => {
  app = await startTestApp()
  keys = await keysOf(app)
})
afterAll(async () => {
  await mustPassAudit(app.database.db)
  await app.close()
})

const buy = (key: string, body: object) => app.call('POST', '/resultschecker/purchase', { key, body: { quantity: 1, ...body } })
const recall = (key: string, reference: string) =>
  app.call('GET', `/resultschecker/orders/${encodeURIComponent(reference)}`, { key })

const endpoints = [
  ['GET', '/resultschecker/types', '"GET /resultschecker/types";q=30;w=60'],
  ['POST', '/resultschecker/purchase', '"POST /resultschecker/purchase";q=10;w=60'],
  ['GET', '/resultschecker/orders', '"GET /resultschecker/orders";q=30;w=60'],
  ['GET', '/resultschecker/orders/nobody', '"GET /resultschecker/orders/{reference}";q=30;w=60'],
] as const

describe.each(endpoints)('%s %s', (method, path, policy) => {
  const ask = (key?: string) =>
    app.call(method, path, { ...(key === undefined ? {} : { key }), ...(method === 'POST' ? { body: {} } : {}) })

  it('answers 401 without a key or with an unknown one', async () => {
    expect((await ask()).status).toBe(401)
    expect((await ask('makola_live_nobody')).status).toBe(401)
  })

  it('answers 403 to an SMS key, a commission key, and the key of a suspended account', async () => {
    const { accountId, key } = await app.makeReseller()
    for (const type of ['sms', 'commission'] as const) {
      expect((await ask(await makeKeyFor(app.database.db, accountId, type))).status).toBe(403)
    }
    await sql`update accounts set status = 'suspended' where id = ${accountId}`.execute(app.database.db)
    await sql`update cache_epoch set epoch = epoch + 1`.execute(app.database.db)
    await aSecond()
    expect((await ask(key)).status).toBe(403)
  })

  it('counts against the limit that the contract gives it', async () => {
    const { key } = await app.makeReseller()
    const { status, headers } = await ask(key)
    expect([401, 403, 429]).not.toContain(status)
    expect(headers['ratelimit-policy']).toBe(policy)
  })
})

describe('POST /resultschecker/purchase', () => {
  it('checks the stock before the wallet: who has too little money and wants too many is told of the stock', async () => {
    const { typeId } = await stockVouchers(app.database.db, keys, 1)
    const { key } = await app.makeReseller({ balancePesewas: 1 })
    const answer = async (quantity: number) => (await buy(key, { typeId, quantity, reference: 'poor' })).headers['x-error-reason']
    expect([await answer(2), await answer(1)]).toEqual(['voucher_stock_short', 'insufficient_funds'])
  })

  it('answers 409 to a taken reference with another body before it looks at type, stock or funds', async () => {
    const { typeId } = await stockVouchers(app.database.db, keys, 1)
    const { key } = await app.makeReseller({ balancePesewas: 1_750 })
    expect((await buy(key, { typeId, reference: 'taken' })).status).toBe(200)
    for (const change of [{ typeId: newId() }, { typeId, quantity: 1_000 }]) {
      expect((await buy(key, { ...change, reference: 'taken' })).headers['x-error-reason']).toBe('reference_taken')
    }
  })

  it.each(['r', '😀'.repeat(100), 'a/b?c=d%20 e', 'é-ɛ+'])(
    'takes the reference %s, by which the order is recalled',
    async (reference) => {
      const { typeId } = await stockVouchers(app.database.db, keys, 1)
      const { key } = await app.makeReseller()
      const { status, body } = await buy(key, { typeId, reference })
      expect(status).toBe(200)
      expect((await recall(key, reference)).body.data).toEqual({ order: body.data.order, vouchers: body.data.vouchers })
      expect((await recall(key, encodeURIComponent(reference))).status).toBe(reference === 'r' ? 200 : 404)
    },
  )

  it.each([{ recipientPhone: '' }, { recipientPhone: null }, { recipientEmail: '' }, { recipientEmail: null }])(
    'answers 400 to an address that is there and says nothing: %o',
    async (change) => {
      const { key } = await app.makeReseller()
      expect((await buy(key, { typeId: newId(), reference: 'r', ...change })).status).toBe(400)
    },
  )
})

it('types, orders and recalls are answered while the sale is switched off', async () => {
  const { typeId } = await stockVouchers(app.database.db, keys, 1)
  const { key } = await app.makeReseller()
  await buy(key, { typeId, reference: 'before-the-switch' })
  await writeSetting(app.database.db, resultsCheckerEnabled, false, 'test')
  await aSecond()
  const answers = await Promise.all([
    app.call('GET', '/resultschecker/types', { key }),
    app.call('GET', '/resultschecker/orders', { key }),
    recall(key, 'before-the-switch'),
    buy(key, { typeId, reference: 'after-the-switch' }),
  ])
  await writeSetting(app.database.db, resultsCheckerEnabled, true, 'test')
  await aSecond()
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 503])
})

it('each product’s look-up finds only its own orders', async () => {
  const { typeId } = await stockVouchers(app.database.db, keys, 1)
  const { key } = await app.makeReseller()
  await buy(key, { typeId, reference: 'only-vouchers' })
  expect((await app.call('GET', '/afa/orders/only-vouchers', { key })).status).toBe(404)
  expect((await app.call('GET', '/orders/only-vouchers', { key })).status).toBe(404)
})

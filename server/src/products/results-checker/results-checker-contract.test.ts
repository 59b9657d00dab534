import { beforeAll, describe, expect, it } from 'vitest'
import { describeKeyRules } from '../../../test/describe-key-rules.ts'
import { setUpShop } from '../../../test/set-up-shop.ts'
import { newId } from '../../platform/database/new-id.ts'
import type { SecretsKeys } from '../../platform/secrets/secrets-keys.ts'
import { writeSetting } from '../../platform/settings/settings.ts'
import { resultsCheckerEnabled } from './results-checker.settings.ts'
import { keysOf, stockVouchers } from './stock-vouchers.fixture.ts'

const shop = setUpShop()
let keys: SecretsKeys

beforeAll(async () => {
  keys = await keysOf(shop.app)
})

const buy = (key: string, body: object) =>
  shop.app.call('POST', '/resultschecker/purchase', { key, body: { quantity: 1, ...body } })
const recall = (key: string, reference: string) =>
  shop.app.call('GET', `/resultschecker/orders/${encodeURIComponent(reference)}`, { key })

const endpoints = [
  ['GET', '/resultschecker/types', '"GET /resultschecker/types";q=30;w=60'],
  ['POST', '/resultschecker/purchase', '"POST /resultschecker/purchase";q=10;w=60'],
  ['GET', '/resultschecker/orders', '"GET /resultschecker/orders";q=30;w=60'],
  ['GET', '/resultschecker/orders/nobody', '"GET /resultschecker/orders/{reference}";q=30;w=60'],
] as const

describeKeyRules(shop, 'standard', endpoints)

describe('POST /resultschecker/purchase', () => {
  it('checks the stock before the wallet: who has too little money and wants too many is told of the stock', async () => {
    const { typeId } = await stockVouchers(shop.app.database.db, keys, 1)
    const { key } = await shop.app.makeReseller({ balancePesewas: 1 })
    const answer = async (quantity: number) => (await buy(key, { typeId, quantity, reference: 'poor' })).headers['x-error-reason']
    expect([await answer(2), await answer(1)]).toEqual(['voucher_stock_short', 'insufficient_funds'])
  })

  it('answers 409 to a taken reference with another body before it looks at type, stock or funds', async () => {
    const { typeId } = await stockVouchers(shop.app.database.db, keys, 1)
    const { key } = await shop.app.makeReseller({ balancePesewas: 1_750 })
    expect((await buy(key, { typeId, reference: 'taken' })).status).toBe(200)
    for (const change of [{ typeId: newId() }, { typeId, quantity: 1_000 }]) {
      expect((await buy(key, { ...change, reference: 'taken' })).headers['x-error-reason']).toBe('reference_taken')
    }
  })

  it.each(['r', '😀'.repeat(100), 'a/b?c=d%20 e', 'é-ɛ+'])(
    'takes the reference %s, by which the order is recalled',
    async (reference) => {
      const { typeId } = await stockVouchers(shop.app.database.db, keys, 1)
      const { key } = await shop.app.makeReseller()
      const { status, body } = await buy(key, { typeId, reference })
      expect(status).toBe(200)
      expect((await recall(key, reference)).body.data).toEqual({ order: body.data.order, vouchers: body.data.vouchers })
      expect((await recall(key, encodeURIComponent(reference))).status).toBe(reference === 'r' ? 200 : 404)
    },
  )

  it.each([{ recipientPhone: '' }, { recipientEmail: '' }])(
    'answers 400 to an address that is there and says nothing: %o',
    async (change) => {
      const { key } = await shop.app.makeReseller()
      expect((await buy(key, { typeId: newId(), reference: 'r', ...change })).status).toBe(400)
    },
  )

  it('takes a null address as none, for the same request too', async () => {
    const { typeId } = await stockVouchers(shop.app.database.db, keys, 1)
    const { key } = await shop.app.makeReseller()
    const body = { typeId, reference: 'null-address' }
    const first = await buy(key, { ...body, recipientPhone: null, recipientEmail: null })
    expect(first.status).toBe(200)
    const again = await buy(key, body)
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([200, 'true'])
  })
})

it('types, orders and recalls are answered while the sale is switched off', async () => {
  const { typeId } = await stockVouchers(shop.app.database.db, keys, 1)
  const { key } = await shop.app.makeReseller()
  await buy(key, { typeId, reference: 'before-the-switch' })
  await writeSetting(shop.app.database.db, resultsCheckerEnabled, false, 'test')
  await shop.app.untilSeen()
  const answers = await Promise.all([
    shop.app.call('GET', '/resultschecker/types', { key }),
    shop.app.call('GET', '/resultschecker/orders', { key }),
    recall(key, 'before-the-switch'),
    buy(key, { typeId, reference: 'after-the-switch' }),
  ])
  await writeSetting(shop.app.database.db, resultsCheckerEnabled, true, 'test')
  await shop.app.untilSeen()
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 503])
})

it('each product’s look-up finds only its own orders', async () => {
  const { typeId } = await stockVouchers(shop.app.database.db, keys, 1)
  const { key } = await shop.app.makeReseller()
  await buy(key, { typeId, reference: 'only-vouchers' })
  expect((await shop.app.call('GET', '/afa/orders/only-vouchers', { key })).status).toBe(404)
  expect((await shop.app.call('GET', '/orders/only-vouchers', { key })).status).toBe(404)
})

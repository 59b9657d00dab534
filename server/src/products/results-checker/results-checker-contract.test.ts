import { beforeAll, describe, expect, it } from 'vitest'
import { describeKeyRules } from '../../../test/reading/describe-key-rules.ts'
import { setUpShop } from '../../../test/set-up-shop.ts'
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

describe('all endpoints of the results checker', () => {
  it('answer types, orders and recalls while the sale is switched off', async () => {
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

  it('find only orders of their own product', async () => {
    const { typeId } = await stockVouchers(shop.app.database.db, keys, 1)
    const { key } = await shop.app.makeReseller()
    await buy(key, { typeId, reference: 'only-vouchers' })
    expect((await shop.app.call('GET', '/afa/orders/only-vouchers', { key })).status).toBe(404)
    expect((await shop.app.call('GET', '/orders/only-vouchers', { key })).status).toBe(404)
  })
})

import { describe, expect, it } from 'vitest'
import { applicant } from '../test/applicant.ts'
import { makeKeyFor } from '../test/make-account.ts'
import { setUpShop } from '../test/set-up-shop.ts'
import { newId } from './platform/database/new-id.ts'
import { keysOf, stockVouchers } from './products/results-checker/stock-vouchers.fixture.ts'

const shop = setUpShop({ unlimited: ['POST /airtime/purchase', 'POST /afa/register', 'POST /utilities/pay'] })

type Reseller = { readonly standard: string; readonly commission: string }

async function makeReseller(): Promise<Reseller> {
  const { accountId, key: standard } = await shop.app.makeReseller()
  return { standard, commission: await makeKeyFor(shop.db, accountId, 'commission') }
}

async function purchase(key: string, path: string, body: object): Promise<string> {
  const { status, body: answer } = await shop.app.call('POST', path, { key, body })
  expect(status).toBe(200)
  return answer.data.order_id ?? answer.data.order.id
}

/** Each product: how it is bought and which look-up reads it. */
const products = {
  data: {
    keyType: 'standard',
    lookUp: '/orders',
    buy: (key: string, reference: string) =>
      purchase(key, '/data/purchase', { network: 'MTN', volume_gb: 1, recipient: '0241234567', reference }),
  },
  airtime: {
    keyType: 'commission',
    lookUp: '/airtime/orders',
    buy: (key: string, reference: string) =>
      purchase(key, '/airtime/purchase', { network: 'MTN', beneficiary_phone: '0241234567', amount: 5, reference }),
  },
  'results checker': {
    keyType: 'standard',
    lookUp: '/resultschecker/orders',
    buy: async (key: string, reference: string) => {
      const { typeId } = await stockVouchers(shop.db, await keysOf(shop.app), 1)
      return purchase(key, '/resultschecker/purchase', { typeId, quantity: 1, reference })
    },
  },
  AFA: {
    keyType: 'standard',
    lookUp: '/afa/orders',
    buy: (key: string, reference: string) =>
      purchase(key, '/afa/register', {
        reference,
        ...applicant,
      }),
  },
  bills: {
    keyType: 'commission',
    lookUp: '/utilities/orders',
    buy: (key: string, reference: string) =>
      purchase(key, '/utilities/pay', { biller: 'dstv', account: `70${reference.slice(-8)}`, amount: 20, reference }),
  },
} as const

const all = Object.entries(products)
const lookUp = (key: string, path: string, name: string) => shop.app.call('GET', `${path}/${encodeURIComponent(name)}`, { key })
const idOf = (data: { order_id?: string; id?: string; order?: { id: string } }) => data.order_id ?? data.id ?? data.order?.id

describe.each(all)('the look-up of %s', (_name, product) => {
  it('finds the caller’s own order by its id, however it is cased, as it does by its reference', async () => {
    const reseller = await makeReseller()
    const key = reseller[product.keyType]
    const orderId = await product.buy(key, newId())
    const byId = await lookUp(key, product.lookUp, orderId)
    expect(byId.status).toBe(200)
    const { reference } = byId.body.data.order ?? byId.body.data
    expect((await lookUp(key, product.lookUp, reference)).body.data).toEqual(byId.body.data)
    expect((await lookUp(key, product.lookUp, orderId.toUpperCase())).body.data).toEqual(byId.body.data)
  })

  it('never finds another account’s order, nor one of another product', async () => {
    const [owner, other] = [await makeReseller(), await makeReseller()]
    const orderId = await product.buy(owner[product.keyType], newId())
    expect((await lookUp(other[product.keyType], product.lookUp, orderId)).status).toBe(404)
    for (const [, { keyType, lookUp: path }] of all) {
      if (path === product.lookUp) continue
      expect((await lookUp(owner[keyType], path, orderId)).status).toBe(404)
    }
    expect((await lookUp(owner[product.keyType], product.lookUp, newId())).status).toBe(404)
  })
})

describe('a name that is a reference of one order and the id of another', () => {
  it('means the reference', async () => {
    const { standard } = await makeReseller()
    const first = await products.data.buy(standard, newId())
    const second = await products.data.buy(standard, first)
    expect(idOf((await lookUp(standard, '/orders', first)).body.data)).toBe(second)
  })

  it('means the id when the reference is another account’s', async () => {
    const [owner, other] = [await makeReseller(), await makeReseller()]
    const orderId = await products.data.buy(owner.standard, newId())
    await products.data.buy(other.standard, orderId)
    expect(idOf((await lookUp(owner.standard, '/orders', orderId)).body.data)).toBe(orderId)
  })
})

it('looks asked at the same moment by reference and by id each find their own', async () => {
  const { standard } = await makeReseller()
  const references = Array.from({ length: 20 }, newId)
  const ids = await Promise.all(references.map((reference) => products.data.buy(standard, reference)))
  const found = await Promise.all([...references, ...ids].map((name) => lookUp(standard, '/orders', name)))
  expect(found.map(({ body }) => idOf(body.data))).toEqual([...ids, ...ids])
})

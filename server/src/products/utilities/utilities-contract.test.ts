import { describe, expect, it } from 'vitest'
import { describeKeyRules } from '../../../test/reading/describe-key-rules.ts'
import { setUpShop } from '../../../test/set-up-shop.ts'

const shop = setUpShop()
const makeReseller = shop.makeCommissionReseller

let smartcards = 5_000_000
const bill = (more: object = {}) => ({ biller: 'dstv', account: String(++smartcards), amount: 20, ...more })
const pay = (key: string, body: unknown) => shop.app.call('POST', '/utilities/pay', { key, body })
const lookUp = (key: string, reference: string) => shop.app.call('GET', `/utilities/orders/${reference}`, { key })
const billers = async (key: string) => (await shop.app.call('GET', '/utilities/billers', { key })).body.data

const endpoints = [
  ['GET', '/utilities/billers', '"GET /utilities/billers";q=30;w=60'],
  ['GET', '/utilities/lookup', '"GET /utilities/lookup";q=10;w=60'],
  ['POST', '/utilities/pay', '"POST /utilities/pay";q=6;w=60'],
  ['GET', '/utilities/orders/nobody', '"GET /utilities/orders/{reference}";q=30;w=60'],
] as const

describeKeyRules(shop, 'commission', endpoints)

describe('all endpoints of utilities', () => {
  it('are left alone when the six payments of a minute are used up, of which repeats are some', async () => {
    const { key } = await makeReseller()
    const body = bill({ reference: 'six' })
    for (let index = 0; index < 6; index += 1) expect((await pay(key, body)).status).toBe(200)
    expect((await pay(key, body)).status).toBe(429)
    expect((await billers(key)).currency).toBe('GHS')
    expect((await lookUp(key, 'nobody')).status).toBe(404)
  })

  it('take commission keys only', async () => {
    const { standardKey } = await makeReseller()
    for (const [method, path] of [
      ['GET', '/utilities/billers'],
      ['GET', '/utilities/lookup?biller=dstv&account=1'],
      ['POST', '/utilities/pay'],
      ['GET', '/utilities/orders/x'],
    ] as const) {
      const answer = await shop.app.call(method, path, { key: standardKey, ...(method === 'POST' ? { body: bill() } : {}) })
      expect(answer).toMatchObject({ status: 403, headers: { 'x-error-reason': 'wrong_key_type' } })
    }
  })
})

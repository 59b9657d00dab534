import { describe, expect, it } from 'vitest'
import { refundReasons } from '../../orders/settlement/explain-refund.ts'
import { setUpAirtime } from './set-up-airtime.fixture.ts'

const { shop, balance, topUp, buy, list, lookUp } = setUpAirtime()
const { makeCommissionReseller: makeReseller } = shop

describe('GET /airtime/orders/{reference}', () => {
  it('200 or 404: shows the order without a reason until it is refunded, and never says whose it is not', async () => {
    const { key } = await makeReseller()
    const body = topUp()
    const placed = await buy(key, body)
    expect((await lookUp(key, body.reference)).body.data).toEqual({
      order_id: placed.body.data.order_id,
      reference: body.reference,
      status: 'pending',
      network: 'MTN',
      beneficiary_phone: '0241234567',
      airtime_amount: 5,
      fee_amount: 0,
    })
    const missing = await lookUp(key, 'no-such-reference')
    const foreign = await lookUp((await makeReseller()).key, body.reference)
    expect(missing.status).toBe(404)
    expect(foreign.body).toEqual(missing.body)
  })

  it('200: shows a refunded order with a reason out of the fixed list, and the list without; its money is back', async () => {
    const reseller = await makeReseller()
    const { body } = await buy(reseller.key, topUp({ amount: 12.35 }))
    const { reference, order_id: orderId } = body.data
    expect((await lookUp(reseller.key, reference)).body.data).not.toHaveProperty('reason')
    await shop.refund(orderId)
    expect((await lookUp(reseller.key, reference)).body.data).toEqual({
      order_id: orderId,
      reference,
      status: 'refunded',
      network: 'MTN',
      beneficiary_phone: '0241234567',
      airtime_amount: 12.35,
      fee_amount: 0,
      reason: refundReasons.cancelled,
    })
    expect(await list(reseller.key)).toEqual([
      { order_id: orderId, reference, status: 'refunded', network: 'MTN', airtime_amount: 12.35 },
    ])
    expect(await balance(reseller)).toBe(1_000)
  })

  it('200 or 404: finds an order under exactly its reference, percent-decoded once', async () => {
    const { key } = await makeReseller()
    await buy(key, topUp({ reference: 'Shop/100% ɛ' }))
    for (const wrong of ['shop/100% ɛ', 'Shop/100% ɛ ', encodeURIComponent('Shop/100% ɛ')]) {
      expect((await lookUp(key, wrong)).status).toBe(404)
    }
    expect((await lookUp(key, 'Shop/100% ɛ')).status).toBe(200)
  })

  it('404: finds no order of another product', async () => {
    const { key } = await makeReseller()
    const bill = { biller: 'dstv', account: '7020001234', amount: 20, reference: 'only-a-bill' }
    const { reference } = (await shop.app.call('POST', '/utilities/pay', { key, body: bill })).body.data
    expect((await lookUp(key, reference)).status).toBe(404)
    expect((await lookUp(key, 'only-a-bill')).status).toBe(404)
    expect(await list(key)).toEqual([])
  })
})

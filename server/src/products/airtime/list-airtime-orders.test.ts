import { describe, expect, it } from 'vitest'
import { setUpAirtime } from './set-up-airtime.fixture.ts'

const { shop, newReference, topUp, buy } = setUpAirtime()
const { makeCommissionReseller: makeReseller } = shop

describe('GET /airtime/orders', () => {
  it('200: lists at most 30 orders of the account, newest first, with the contract’s fields', async () => {
    const { key, standardKey } = await makeReseller()
    const other = await makeReseller()
    await buy(other.key, topUp())
    await shop.app.call('POST', '/data/purchase', {
      key: standardKey,
      body: { network: 'MTN', volume_gb: 1, recipient: '0241234567', reference: newReference() },
    })
    const bodies = Array.from({ length: 32 }, () => topUp())
    for (const body of bodies) await buy(key, body)
    const { orders } = (await shop.app.call('GET', '/airtime/orders', { key })).body.data
    expect(orders.map((order: { reference: string }) => order.reference)).toEqual(
      bodies
        .map((body) => body.reference)
        .toReversed()
        .slice(0, 30),
    )
    expect(orders[0]).toEqual({
      order_id: expect.any(String),
      reference: bodies[31]?.reference,
      status: 'pending',
      network: 'MTN',
      airtime_amount: 5,
    })
  })

  it('200: answers an empty list to an account without airtime orders', async () => {
    const { key } = await makeReseller()
    expect((await shop.app.call('GET', '/airtime/orders', { key })).body.data).toEqual({ orders: [] })
  })
})

import { describe, expect, it } from 'vitest'
import { setUpVouchers } from './set-up-vouchers.fixture.ts'

const { shop, stocked, buy } = setUpVouchers()

describe('GET /resultschecker/orders', () => {
  it('200: lists at most 30 of the caller’s own orders, newest first, without vouchers', async () => {
    const { typeId } = await stocked(40)
    const { key } = await shop.app.makeReseller({ balancePesewas: 1_000_000 })
    const other = await shop.app.makeReseller()
    await buy(other.key, { typeId })
    const placed: string[] = []
    for (let index = 0; index < 32; index += 1) placed.push((await buy(key, { typeId })).body.data.order.reference)
    const { body } = await shop.app.call('GET', '/resultschecker/orders', { key })
    expect(body.data.orders.map((order: { reference: string }) => order.reference)).toEqual(placed.toReversed().slice(0, 30))
    expect(JSON.stringify(body)).not.toContain('PIN-')
  })
})

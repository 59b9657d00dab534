import { describe, expect, it } from 'vitest'
import { untilPast } from '../../../test/until-past.ts'
import { setUpVouchers } from './set-up-vouchers.fixture.ts'

const { shop, stocked, buy, typeOf } = setUpVouchers()

describe('GET /resultschecker/types', () => {
  it('200: lists every type with the price of the caller’s role and the stock of this moment', async () => {
    const { typeId, name } = await stocked(3)
    const hidden = await stocked(2, { isActive: false })
    for (const [role, price] of [
      ['customer', 20],
      ['agent', 17.5],
      ['dealer', 16.5],
    ] as const) {
      const { key } = await shop.app.makeReseller({ role })
      expect(await typeOf(key, typeId)).toEqual({ type_id: typeId, name, price, available_count: 3, is_active: true })
      expect(await typeOf(key, hidden.typeId)).toMatchObject({ is_active: false })
    }
    const { key } = await shop.app.makeReseller()
    await buy(key, { typeId, quantity: 2 })
    expect(await typeOf(key, typeId)).toMatchObject({ available_count: 1 })
  })

  it('200: prices an expired agent as a customer', async () => {
    const { typeId } = await stocked(1)
    const soon = new Date(Date.now() + 500)
    const { key } = await shop.app.makeReseller({ role: 'agent', roleExpiresAt: soon })
    await untilPast(shop.db, soon)
    expect(await typeOf(key, typeId)).toMatchObject({ price: 20 })
    expect((await buy(key, { typeId })).body.data.order.unit_price).toBe(20)
  })
})

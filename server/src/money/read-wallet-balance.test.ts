import { describe, expect, it } from 'vitest'
import { setUpShop } from '../../test/set-up-shop.ts'

const shop = setUpShop()

describe('GET /wallet/balance', () => {
  it('200: answers the balance in GHS', async () => {
    const { key } = await shop.app.makeReseller({ balancePesewas: 12_345 })
    expect((await shop.app.call('GET', '/wallet/balance', { key })).body.data).toEqual({ balance: 123.45, currency: 'GHS' })
  })
})

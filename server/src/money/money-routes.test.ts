import { describe, expect, it } from 'vitest'
import { setUpShop } from '../../test/set-up-shop.ts'

const shop = setUpShop()

describe('GET /wallet/balance and POST /wallet/topup', () => {
  it('answers the balance in GHS', async () => {
    const { key } = await shop.app.makeReseller({ balancePesewas: 12_345 })
    expect((await shop.app.call('GET', '/wallet/balance', { key })).body.data).toEqual({ balance: 123.45, currency: 'GHS' })
  })

  it('always answers 410 to a top-up, with or without a key', async () => {
    const { key } = await shop.app.makeReseller()
    for (const options of [{}, { key }, { key, body: { amount: 5 } }, { rawBody: '{broken' }]) {
      expect((await shop.app.call('POST', '/wallet/topup', options)).status).toBe(410)
    }
  })
})

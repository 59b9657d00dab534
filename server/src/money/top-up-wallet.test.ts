import { describe, expect, it } from 'vitest'
import { setUpShop } from '../../test/set-up-shop.ts'

const shop = setUpShop()

describe('POST /wallet/topup', () => {
  it('410: is always the answer, with or without a key', async () => {
    const { key } = await shop.app.makeReseller()
    for (const options of [{}, { key }, { key, body: { amount: 5 } }, { rawBody: '{broken' }]) {
      expect((await shop.app.call('POST', '/wallet/topup', options)).status).toBe(410)
    }
  })
})

import { describe, expect, it } from 'vitest'
import { setUpShop } from '../../../test/set-up-shop.ts'

const shop = setUpShop()

describe('GET /packages', () => {
  it('200: lists only what is on sale, at the prices of the caller’s role, smallest first within a network', async () => {
    const customer = await shop.app.makeReseller({ role: 'customer' })
    const dealer = await shop.app.makeReseller({ role: 'dealer' })
    const { data } = (await shop.app.call('GET', '/packages', customer)).body
    expect(data.total).toBe(data.packages.length)
    expect(data.packages[0]).toEqual({
      id: expect.any(String),
      network: 'MTN',
      size: '1GB',
      volume_gb: 1,
      price: 6,
      currency: 'GHS',
    })
    const cheaper = (await shop.app.call('GET', '/packages', dealer)).body.data.packages
    expect(cheaper[0].price).toBe(4.9)
  })

  it('200 or 400: filters by network, case-sensitively, and by exact size', async () => {
    const { key } = await shop.app.makeReseller()
    const list = async (query: string) => (await shop.app.call('GET', `/packages?${query}`, { key })).body.data?.packages
    expect(new Set((await list('network=Telecel')).map((entry: { network: string }) => entry.network))).toEqual(
      new Set(['Telecel']),
    )
    expect((await list('size_gb=1')).length).toBe(4)
    expect((await list('network=MTN&size_gb=5.0')).map((entry: { size: string }) => entry.size)).toEqual(['5GB'])
    expect(await list('network=MTN&size_gb=1.5')).toEqual([])
    for (const query of ['network=mtn', 'network=Glo', 'size_gb=one', 'size_gb=']) {
      expect((await shop.app.call('GET', `/packages?${query}`, { key })).status).toBe(400)
    }
  })
})

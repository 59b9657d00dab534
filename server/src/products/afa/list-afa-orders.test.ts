import { describe, expect, it } from 'vitest'
import { setUpAfa } from './set-up-afa.fixture.ts'

const { shop, person, register, registered } = setUpAfa()

describe('GET /afa/orders', () => {
  it('200: lists at most 30 of the caller’s own, newest first', async () => {
    const { key } = await shop.app.makeReseller()
    await registered()
    const placed: string[] = []
    for (let index = 0; index < 32; index += 1) {
      const body = person()
      await register(key, body)
      placed.push(body.reference)
    }
    const { body } = await shop.app.call('GET', '/afa/orders', { key })
    expect(body.data.orders.map((order: { reference: string }) => order.reference)).toEqual(placed.toReversed().slice(0, 30))
    expect(Object.keys(body.data.orders[0])).toEqual(['id', 'reference', 'status'])
  })
})

import { describe, expect, it } from 'vitest'
import { setUpVouchers } from './set-up-vouchers.fixture.ts'

const { shop, newReference, stocked, buy, recall } = setUpVouchers()

describe('GET /resultschecker/orders/{reference}', () => {
  it('404: answers another account’s order as one that does not exist', async () => {
    const { typeId } = await stocked(1)
    const { key } = await shop.app.makeReseller()
    const other = await shop.app.makeReseller()
    const reference = newReference()
    await buy(key, { typeId, reference })
    const foreign = await recall(other.key, reference)
    const missing = await recall(other.key, 'nobody-knows-it')
    expect(foreign.status).toBe(404)
    expect(foreign.body).toEqual(missing.body)
  })
})

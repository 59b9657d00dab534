import { describe, expect, it } from 'vitest'
import { setUpData } from './set-up-data.fixture.ts'

const { shop, bundle, buy } = setUpData()
const lookUp = (key: string, reference: string) => shop.app.call('GET', `/orders/${encodeURIComponent(reference)}`, { key })

describe('GET /orders/{reference}', () => {
  it('200 or 404: answers the order with its time of creation, and a missing one and another account’s alike', async () => {
    const owner = await shop.app.makeReseller()
    const other = await shop.app.makeReseller()
    const { reference } = (await buy(owner.key, bundle())).body.data
    const found = await lookUp(owner.key, reference)
    expect(found.body.data).toMatchObject({ reference, status: 'pending', source: 'api' })
    expect(found.body.data.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(found.body.data).not.toHaveProperty('new_balance')
    const foreign = await lookUp(other.key, reference)
    const missing = await lookUp(other.key, 'there is no such reference')
    expect([foreign.status, missing.status]).toEqual([404, 404])
    expect(foreign.body).toEqual(missing.body)
  })
})

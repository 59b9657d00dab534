import { describe, expect, it } from 'vitest'
import { setUpAfa } from './set-up-afa.fixture.ts'

const { shop, registered, lookUp } = setUpAfa()

describe('GET /afa/orders/{reference}', () => {
  it('404: answers another account’s registration as one that does not exist', async () => {
    const { reference } = await registered()
    const { key } = await shop.app.makeReseller()
    const foreign = await lookUp(key, reference)
    expect(foreign.status).toBe(404)
    expect(foreign.body).toEqual((await lookUp(key, 'nobody-knows-it')).body)
  })
})

import { describe, expect, it } from 'vitest'
import { describeKeyRules } from '../../../test/reading/describe-key-rules.ts'
import { setUpAfa } from './set-up-afa.fixture.ts'

const { shop, person, register } = setUpAfa([])

const endpoints = [
  ['POST', '/afa/register', '"POST /afa/register";q=10;w=60'],
  ['GET', '/afa/orders', '"GET /afa/orders";q=30;w=60'],
  ['GET', '/afa/orders/nobody', '"GET /afa/orders/{reference}";q=30;w=60'],
] as const

describeKeyRules(shop, 'standard', endpoints)

describe('all endpoints of AFA', () => {
  it('find only orders of their own product', async () => {
    const { key } = await shop.app.makeReseller()
    await register(key, person({ reference: 'only-afa' }))
    expect((await shop.app.call('GET', '/resultschecker/orders/only-afa', { key })).status).toBe(404)
    expect((await shop.app.call('GET', '/orders/only-afa', { key })).status).toBe(404)
  })
})

import Type from 'typebox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type HttpApp, startHttpApp } from '../../../test/start-http-app.ts'
import { ok } from './envelope.ts'
import { limits, type RateLimitOverrides, requestsPerMinute } from './limits/endpoint-limits.ts'
import type { Api } from './route-types.ts'

const pay = { name: 'POST /utilities/pay', perMinute: 6 }
const verify = { name: 'POST /data/verify-number', perMinute: 20 }

let http: HttpApp
let overrides: RateLimitOverrides = {}
let handled = 0

function register(api: Api): void {
  const keyType = 'standard'
  const handler = () => ok((handled += 1))
  const shape = { body: Type.Object({ reference: Type.String() }) }
  api.get('/pay', { config: { keyType, limit: pay } }, handler)
  api.post('/shape', { config: { keyType, limit: { name: 'POST /airtime/purchase', perMinute: 10 } }, schema: shape }, handler)
  api.get('/verify-number', { config: { keyType, limit: verify } }, handler)
  api.get('/verify-number/server-1', { config: { keyType, limit: verify } }, handler)
  api.get('/packages', { config: { keyType, limit: { name: 'GET /packages' } } }, handler)
  api.get('/role', { config: { keyType, limit: limits.accountRole } }, handler)
}

beforeAll(async () => {
  http = await startHttpApp(register, { rateLimitOverrides: () => overrides })
})
afterAll(() => http.close())

const get = (path: string, key = 'standard-key') => http.ask('GET', `/api/v2${path}`, { headers: { authorization: key } })

describe('rate limits per key', () => {
  it('tells every answer of a limited endpoint where the key stands', async () => {
    const { status, headers } = await get('/role')
    expect(status).toBe(200)
    expect(headers['ratelimit-policy']).toBe('"GET /account/role";q=30;w=60')
    expect(headers['ratelimit']).toMatch(/^"GET \/account\/role";r=29;t=(60|59)$/)
  })

  it('answers 429 with Retry-After past the limit, before the handler, and counts each key on its own', async () => {
    for (let asked = 0; asked < 6; asked += 1) expect((await get('/pay')).status).toBe(200)
    const before = handled
    const refused = await get('/pay')
    expect(refused.status).toBe(429)
    expect(refused.json).toEqual({ success: false, error: { code: 429, message: expect.any(String) } })
    expect(refused.headers['x-error-reason']).toBe('rate_limited')
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60)
    expect(refused.headers['ratelimit']).toMatch(/^"POST \/utilities\/pay";r=0;t=\d+$/)
    expect(handled).toBe(before)
    expect((await get('/pay', 'other-key')).status).toBe(200)
  })

  it('takes endpoints that share a budget from the same count', async () => {
    for (let asked = 0; asked < 10; asked += 1) {
      await get('/verify-number')
      await get('/verify-number/server-1')
    }
    expect((await get('/verify-number')).status).toBe(429)
    expect((await get('/verify-number/server-1')).status).toBe(429)
  })

  it('counts a request whose shape is refused, and refuses by limit before it reads the body', async () => {
    const broken = { headers: { authorization: 'standard-key', 'content-type': 'application/json' }, body: '{' }
    const statuses: number[] = []
    for (let asked = 0; asked < 11; asked += 1) statuses.push((await http.ask('POST', '/api/v2/shape', broken)).status)
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 400), 429])
  })

  it('has no limit where the contract shows none, until the operator sets one', async () => {
    const free = await get('/packages')
    expect(free.headers['ratelimit']).toBeUndefined()
    overrides = { 'GET /packages': 1 }
    expect((await get('/packages')).headers['ratelimit-policy']).toBe('"GET /packages";q=1;w=60')
    expect((await get('/packages')).status).toBe(429)
    overrides = {}
    expect((await get('/packages')).status).toBe(200)
  })

  it('follows the operator in place of the contract', () => {
    expect(requestsPerMinute(pay, {})).toBe(6)
    expect(requestsPerMinute(pay, { 'POST /utilities/pay': 600 })).toBe(600)
  })
})

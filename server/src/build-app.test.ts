import Type from 'typebox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type HttpAnswer, type HttpApp, startHttpApp } from '../test/start-http-app.ts'
import { Envelope, ok } from './platform/http/envelope.ts'
import type { Api } from './platform/http/route-types.ts'
import { OneOf } from './platform/http/schemas.ts'

let http: HttpApp
let handled = 0
const headers = { authorization: 'standard-key', 'content-type': 'application/json' }

const Order = Type.Object({
  network: OneOf(['MTN', 'Telecel']),
  volume_gb: Type.Number(),
  recipient: Type.String({ pattern: '^0\\d{9}$' }),
  note: Type.Optional(Type.String({ maxLength: 5 })),
})

function register(api: Api): void {
  const config = { keyType: 'standard' } as const
  api.post('/orders', { config, schema: { body: Order, response: { 200: Envelope(Order) } } }, (request) => {
    handled += 1
    return ok(request.body)
  })
  api.post(
    '/batch',
    { config, schema: { body: Type.Object({ orders: Type.Array(Order, { minItems: 1, maxItems: 3 }) }) } },
    (request) => ok(request.body.orders.length),
  )
  api.get('/orders/:reference', { config, schema: { params: Type.Object({ reference: Type.String() }) } }, (request) =>
    ok(request.params),
  )
  const query = Type.Object({ size_gb: Type.Optional(Type.Number()), network: Type.Optional(OneOf(['MTN'])) })
  api.get('/packages', { config, schema: { querystring: query } }, (request) => ok(request.query))
  api.get('/bug', { config }, () => {
    throw new Error('the password of the database is hunter2')
  })
  api.get('/away', { config }, () => {
    throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  })
  api.get('/misleading', { config }, () => {
    throw Object.assign(new Error('not found at the supplier'), { statusCode: 404 })
  })
}

beforeAll(async () => {
  http = await startHttpApp(register)
})
afterAll(() => http.close())

const order = { network: 'MTN', volume_gb: 5, recipient: '0241234567' }
const post = (path: string, body: unknown, more = {}) =>
  http.ask('POST', `/api/v2${path}`, {
    headers: { ...headers, ...more },
    body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
  })
const get = (path: string) => http.ask('GET', `/api/v2${path}`, { headers })

/** Checks that the answer is exactly the error envelope with its headers. @returns the refusal */
async function refusalIn(
  answer: HttpAnswer | Promise<HttpAnswer>,
): Promise<{ status: number; reason: unknown; message: string }> {
  const { status, headers: sent, json } = await answer
  const message = json?.error?.message ?? ''
  expect(json).toEqual({ success: false, error: { code: status, message: expect.stringMatching(/./) } })
  expect(sent['content-type']).toBe('application/json; charset=utf-8')
  expect(sent['x-request-id']).toMatch(/^[\w.-]{8,64}$/)
  return { status, reason: sent['x-error-reason'], message }
}

describe('the envelope', () => {
  it('wraps a success in success, data and meta with a UTC time stamp and version v2', async () => {
    const { status, json } = await post('/orders', order)
    expect(status).toBe(200)
    expect(json).toEqual({ success: true, data: order, meta: { timestamp: expect.any(String), version: 'v2' } })
    expect(json?.meta).toMatchObject({ timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) })
  })

  it('carries the request id, the mode of a simulation and headers against sniffing, storing and framing', async () => {
    const { headers: sent } = await get('/packages')
    expect(sent).toMatchObject({
      'x-makola-mode': 'simulated',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
    })
    expect(sent['strict-transport-security']).toBeUndefined()
  })

  it('takes over a request id of the caller only when it is short and plain', async () => {
    const ask = async (id: string) =>
      (await http.ask('GET', '/api/v2/packages', { headers: { ...headers, 'x-request-id': id } })).headers['x-request-id']
    expect(await ask('job-42.retry_1')).toBe('job-42.retry_1')
    expect(await ask('short')).toMatch(/^[0-9a-f]{18}-[0-9a-z]+$/)
    expect(await ask('with blanks and {}')).toMatch(/^[0-9a-f]{18}-[0-9a-z]+$/)
    expect(await ask('x'.repeat(65))).toMatch(/^[0-9a-f]{18}-[0-9a-z]+$/)
  })
})

describe('errors that the framework can make', () => {
  const cases: [string, string | Buffer, Record<string, string>?][] = [
    ['unreadable JSON', '{"network":'],
    ['an empty body', ''],
    ['bytes that are not UTF-8', Buffer.from([0x22, 0xc3, 0x28, 0x22])],
    ['another content type', 'network=MTN', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['a text body', JSON.stringify(order), { 'content-type': 'text/plain' }],
    ['a broken content type', JSON.stringify(order), { 'content-type': ';;;' }],
    ['a body above 1 MiB', JSON.stringify({ ...order, note: 'x'.repeat(1_048_576) })],
    ['a compressed body', Buffer.from([0x1f, 0x8b, 0x08]), { 'content-encoding': 'gzip' }],
  ]
  it.each(cases)('answers %s with 400 in the envelope', async (_name, body, more) => {
    expect(await refusalIn(post('/orders', body, more))).toMatchObject({ status: 400, reason: 'unreadable_body' })
  })

  it('answers a body without content type with 400', async () => {
    const answer = http.ask('POST', '/api/v2/orders', { headers: { authorization: 'standard-key' }, body: '{}' })
    expect(await refusalIn(answer)).toMatchObject({ status: 400, reason: 'unreadable_body' })
  })

  it('answers a body that is missing altogether with 400', async () => {
    const answer = http.ask('POST', '/api/v2/orders', { headers: { authorization: 'standard-key' } })
    expect(await refusalIn(answer)).toMatchObject({
      status: 400,
      reason: 'invalid_request',
      message: expect.stringMatching(/^the body must be an object\.$/),
    })
  })

  it('answers an unknown route with 404, with or without a key', async () => {
    expect(await refusalIn(get('/nowhere'))).toMatchObject({ status: 404, reason: 'route_not_found' })
    expect(await refusalIn(http.ask('GET', '/api/v2/nowhere'))).toMatchObject({ status: 404, reason: 'route_not_found' })
    expect(await refusalIn(http.ask('POST', '/'))).toMatchObject({ status: 404, reason: 'route_not_found' })
  })

  it.each(['OPTIONS', 'PUT', 'DELETE', 'PATCH', 'TRACE', 'PROPFIND'])('answers %s on a known path with 404', async (method) => {
    expect(await refusalIn(http.ask(method, '/api/v2/orders', { headers }))).toMatchObject({
      status: 404,
      reason: 'route_not_found',
    })
  })

  it('answers HEAD on a known path with 404 and, as HTTP demands, no body', async () => {
    const { status, text } = await http.ask('HEAD', '/api/v2/packages', { headers })
    expect({ status, text }).toEqual({ status: 404, text: '' })
  })

  it('answers GET on a path that takes POST with 404', async () => {
    expect(await refusalIn(get('/orders'))).toMatchObject({ status: 404, reason: 'route_not_found' })
  })

  it.each(['/orders/%zz', '/orders/%', '/orders/%c3%28'])('answers the wrongly encoded path %s with 400', async (path) => {
    expect(await refusalIn(get(path))).toMatchObject({ status: 400, reason: 'invalid_request' })
  })

  it('answers a bug with 500 and none of its text', async () => {
    const answer = await get('/bug')
    expect(await refusalIn(answer)).toMatchObject({ status: 500, reason: 'internal_error' })
    expect(answer.text).not.toContain('hunter2')
  })

  it('answers a database that is away with 503 and Retry-After', async () => {
    const answer = await get('/away')
    expect(await refusalIn(answer)).toMatchObject({ status: 503, reason: 'overloaded' })
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
  })

  it('never turns the status code of an error from elsewhere into an answer of 4xx', async () => {
    expect(await refusalIn(get('/misleading'))).toMatchObject({ status: 500, reason: 'internal_error' })
  })
})

describe('the shape of requests', () => {
  it.each([
    [{ ...order, volume_gb: '5' }, 'volume_gb must be a number.'],
    [{ ...order, network: 'mtn' }, 'network must be one of MTN, Telecel.'],
    [{ ...order, recipient: 241_234_567 }, 'recipient must be a string.'],
    [{ ...order, recipient: '241234567' }, 'recipient must be 10 digits starting with 0.'],
    [{ ...order, note: '123456' }, 'note must have at most 5 characters.'],
    [{ network: 'MTN', volume_gb: 5 }, 'recipient is required.'],
    [[], 'the body must be an object.'],
    [null, 'the body must be an object.'],
  ])('refuses %j saying "%s"', async (body, message) => {
    const { status, json } = await post('/orders', body)
    expect({ status, message: json?.error?.message }).toEqual({ status: 400, message })
  })

  it('names every faulty field at once, in the order of the document, each with one sentence', async () => {
    const { status, json } = await post('/orders', { network: 'mtn', recipient: '24', note: '1234567' })
    expect(status).toBe(400)
    expect(json?.error?.message).toBe(
      'volume_gb is required. network must be one of MTN, Telecel. recipient must be 10 digits starting with 0. note must have at most 5 characters.',
    )
    const batch = await post('/batch', { orders: [order, { ...order, volume_gb: '1', recipient: '24' }] })
    expect(batch.json?.error?.message).toBe(
      'orders[1].volume_gb must be a number. orders[1].recipient must be 10 digits starting with 0.',
    )
    expect((await get('/packages?size_gb=x&network=mtn')).json?.error?.message).toMatch(/size_gb must be a number\./)
  })

  it('collects no more faults of a hostile list than a batch may have entries', async () => {
    const { status, text } = await post('/batch', { orders: Array.from({ length: 200_000 }, () => 1) })
    expect(status).toBe(400)
    expect(text.length).toBeLessThan(10_000)
  })

  it('takes null for a field that may be left out as leaving it out, and for no other field', async () => {
    const { status, json } = await post('/orders', { ...order, note: null })
    expect({ status, data: json?.data }).toEqual({ status: 200, data: order })
    expect((await post('/orders', { ...order, recipient: null })).json?.error?.message).toBe('recipient must be a string.')
  })

  it('names the entry of a list that is wrong', async () => {
    const { json } = await post('/batch', { orders: [order, { ...order, volume_gb: null }] })
    expect(json?.error?.message).toBe('orders[1].volume_gb must be a number.')
  })

  it('says how long a list may be', async () => {
    expect((await post('/batch', { orders: [] })).json?.error?.message).toBe('orders must have at least 1 entries.')
    expect((await post('/batch', { orders: [order, order, order, order] })).json?.error?.message).toBe(
      'orders must have at most 3 entries.',
    )
  })

  it('counts lengths in code points', async () => {
    expect((await post('/orders', { ...order, note: '😀😀😀😀😀' })).status).toBe(200)
  })

  it('ignores unknown fields', async () => {
    const { status, json } = await post('/orders', { ...order, colour: 'red' })
    expect({ status, data: json?.data }).toEqual({ status: 200, data: order })
  })

  it('reads numbers in queries from text, and refuses what is none', async () => {
    expect((await get('/packages?size_gb=2.5')).json?.data).toEqual({ size_gb: 2.5 })
    for (const bad of ['abc', '', 'Infinity', '1e999', 'NaN', '1&size_gb=2']) {
      expect(await refusalIn(get(`/packages?size_gb=${bad}`))).toMatchObject({ status: 400, reason: 'invalid_request' })
    }
  })

  it('refuses a NUL character in path and query', async () => {
    expect(await refusalIn(get('/orders/a%00b'))).toMatchObject({
      status: 400,
      reason: 'invalid_request',
      message: expect.stringMatching(/NUL/),
    })
    expect(await refusalIn(get('/packages?network=%00'))).toMatchObject({
      status: 400,
      reason: 'invalid_request',
      message: expect.stringMatching(/NUL/),
    })
  })

  const references = [
    'a/b',
    '100%',
    'ɛ blank',
    '%2F',
    '?#&=',
    'ɛ/% '.repeat(25),
    '😀'.repeat(100),
    '..%2f',
    "'; drop table--",
    '+',
  ]
  it.each(references)('hands over the reference %j from the path, decoded once and exactly', async (reference) => {
    expect((await get(`/orders/${encodeURIComponent(reference)}`)).json?.data).toEqual({ reference })
  })
})

describe('the order of checks', () => {
  it('asks for the key before it reads the body', async () => {
    const answer = http.ask('POST', '/api/v2/orders', { headers: { 'content-type': 'application/json' }, body: '{' })
    expect(await refusalIn(answer)).toMatchObject({ status: 401, reason: 'invalid_key' })
    expect(await refusalIn(post('/orders', '{', { authorization: 'sms-key' }))).toMatchObject({
      status: 403,
      reason: 'wrong_key_type',
      message: expect.stringMatching(/standard key/),
    })
  })

  it('never calls the handler of a refused request', async () => {
    const before = handled
    await post('/orders', order, { authorization: 'nonsense' })
    await post('/orders', { ...order, volume_gb: 'x' })
    expect(handled).toBe(before)
  })

  it('does not start with an endpoint that names no key type', async () => {
    await expect(startHttpApp((api) => void api.get('/open', () => ok(1)))).rejects.toThrow('does not say which key it takes')
  })
})

describe('what was retired', () => {
  it.each([
    ['no key', {}, ''],
    ['a wrong key', { authorization: 'sms-key' }, '{}'],
    ['a broken body', headers, '{'],
    ['a body above the limit', headers, 'x'.repeat(1_100_000)],
    ['a form', { 'content-type': 'multipart/form-data; boundary=x' }, '--x'],
  ])('answers POST /wallet/topup with 410 with %s', async (_name, sent, body) => {
    expect(await refusalIn(http.ask('POST', '/api/v2/wallet/topup', { headers: sent, body }))).toMatchObject({
      status: 410,
      reason: 'top_up_removed',
    })
  })

  it('answers another method on /wallet/topup with 404', async () => {
    expect(await refusalIn(http.ask('GET', '/api/v2/wallet/topup', { headers }))).toMatchObject({
      status: 404,
      reason: 'route_not_found',
    })
  })

  it.each(['/api/v1', '/api/v1/', '/api/v1/data/purchase'])('answers %s with 410 naming version 2', async (path) => {
    expect(await refusalIn(http.ask('GET', path))).toMatchObject({
      status: 410,
      reason: 'version_retired',
      message: expect.stringMatching(/\/api\/v2/),
    })
    expect(await refusalIn(http.ask('POST', path, { headers, body: '{' }))).toMatchObject({
      status: 410,
      reason: 'version_retired',
      message: expect.stringMatching(/\/api\/v2/),
    })
  })
})

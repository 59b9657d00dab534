import { Writable } from 'node:stream'
import Type from 'typebox'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type HttpApp, startHttpApp } from '../../../test/start-http-app.ts'
import { createLog } from '../create-log.ts'
import { ok } from './envelope.ts'

let http: HttpApp
const lines: string[] = []

beforeAll(async () => {
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString())
      done()
    },
  })
  const schema = { params: Type.Object({ reference: Type.String() }) }
  http = await startHttpApp(
    (api) => {
      api.get('/orders/:reference', { config: { keyType: 'standard' }, schema }, () => ok('fine'))
      api.post('/bug', { config: { keyType: 'standard' } }, (request) => {
        request.log.info({ headers: request.headers, pin: '1234-5678', apiKey: 'planted-key' }, 'careless line')
        throw new Error('a bug')
      })
    },
    { log: createLog({ level: 'info', destination }) },
  )
})
afterAll(() => http.close())
beforeEach(() => {
  lines.length = 0
})

const headers = { authorization: 'standard-key', 'content-type': 'application/json', 'x-request-id': 'request-1' }
const requestLine = () =>
  lines.map((line) => JSON.parse(line) as Record<string, unknown>).find((line) => line['msg'] === 'request')

it('writes one line per request with method, route, status, time, request id and account, and no reference', async () => {
  await http.ask('GET', '/api/v2/orders/my-secret-reference', { headers })
  expect(lines).toHaveLength(1)
  expect(requestLine()).toMatchObject({
    method: 'GET',
    route: '/api/v2/orders/:reference',
    status: 200,
    milliseconds: expect.any(Number),
    requestId: 'request-1',
    accountId: 'account',
  })
  expect(lines.join('')).not.toContain('my-secret-reference')
})

it('writes one line for a request that is refused, and for one to nowhere', async () => {
  await http.ask('GET', '/api/v2/orders/x')
  await http.ask('GET', '/secret-path')
  expect(lines.map((line) => (JSON.parse(line) as { status: number }).status)).toEqual([401, 404])
  expect(lines.join('')).not.toContain('secret-path')
})

it('writes no line for a health check', async () => {
  await http.ask('GET', '/healthz')
  await http.ask('GET', '/readyz')
  expect(lines).toEqual([])
})

it('writes the cause of a 500 with the request id, and never a key or a body', async () => {
  await http.ask('POST', '/api/v2/bug', { headers, body: '{"pin":"planted-pin"}' })
  const text = lines.join('')
  expect(text).toContain('a bug')
  expect(lines.every((line) => line.includes('request-1'))).toBe(true)
  expect(text).toContain('careless line')
  for (const secret of ['standard-key', 'planted-pin', '1234-5678', 'planted-key']) expect(text).not.toContain(secret)
})

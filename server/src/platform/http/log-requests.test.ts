import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import Type from 'typebox'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type HttpApp, startHttpApp } from '../../../test/start-http-app.ts'
import { createLog } from '../create-log.ts'
import { ok } from './envelope.ts'
import type { HttpLimits } from './listener/http-limits.ts'

let http: HttpApp
const lines: string[] = []
/** The statuses of all answers, in the order in which they are sent. */
const answered: number[] = []

function open(limits: Partial<HttpLimits> = {}): Promise<HttpApp> {
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString())
      done()
    },
  })
  const schema = { params: Type.Object({ reference: Type.String() }) }
  return startHttpApp(
    (api) => {
      api.addHook('onSend', async (_request, reply) => void answered.push(reply.statusCode))
      api.get('/orders/:reference', { config: { keyType: 'standard' }, schema }, () => ok('fine'))
      api.post('/bug', { config: { keyType: 'standard' } }, (request) => {
        request.log.info({ headers: request.headers, pin: '1234-5678', apiKey: 'planted-key' }, 'careless line')
        throw new Error('a bug')
      })
    },
    { log: createLog({ level: 'info', destination }), limits },
  )
}

beforeAll(async () => {
  http = await open()
})
afterAll(() => http.close())
beforeEach(() => {
  lines.length = 0
  answered.length = 0
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

it('what notes the calls learns that a body did not arrive, as its sender is told, and not that we were busy', async () => {
  const impatient = await open({ headersMilliseconds: 500, requestMilliseconds: 500, timeoutCheckMilliseconds: 50 })
  const socket = await impatient.connect()
  socket.write(`POST /api/v2/bug HTTP/1.1\r\nHost: x\r\nAuthorization: standard-key\r\nContent-Type: application/json\r\n`)
  socket.write('Content-Length: 9\r\n\r\n{')
  expect(await text(socket)).toContain('HTTP/1.1 400')
  await expect.poll(() => answered).toEqual([400])
  await impatient.close()
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

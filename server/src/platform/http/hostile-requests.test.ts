import { once } from 'node:events'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { HttpApp } from '../../../test/start-http-app.ts'
import { type HostileBench, readToEnd, refusal, startHostileBench, statusAndEnvelope } from './hostile-bench.fixture.ts'

const json = { authorization: 'standard-key', 'content-type': 'application/json' }
let http: HttpApp
let handled: unknown[]
let bench: HostileBench
const post = (body: string | Buffer) => bench.post(body)
const expectAlive = () => bench.expectAlive()

beforeAll(async () => {
  bench = await startHostileBench()
  ;({ http, handled } = bench)
})
afterAll(() => http.close())
beforeEach(() => {
  handled.length = 0
})

describe('bodies', () => {
  const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
  it.each([
    ['deep objects in an unknown field', `{"reference":"r","x":${deep(10_000)}}`],
    ['deep lists in an unknown field', `{"reference":"r","x":${'['.repeat(200_000)}${']'.repeat(200_000)}}`],
    ['duplicate keys', '{"reference":"first","reference":"r"}'],
    ['a key named constructor', '{"reference":"r","constructor":{"a":1}}'],
    ['__proto__', '{"reference":"r","__proto__":{"isAdmin":true,"a":1}}'],
    ['an escaped __proto__', '{"reference":"r","\\u005f_proto__":{"isAdmin":true,"a":1}}'],
    ['constructor.prototype', '{"reference":"r","constructor":{"prototype":{"isAdmin":true,"a":1}}}'],
    ['minus zero', '{"reference":"r","volume_gb":-0}'],
    ['1e308', '{"reference":"r","volume_gb":1e308}'],
    ['a hundred thousand unknown fields', `{"reference":"r"${Array.from({ length: 90_000 }, (_, i) => `,"f${i}":1`).join('')}}`],
  ])('takes %s without harm', async (_name, body) => {
    const { status } = await post(body)
    expect(status).toBe(200)
    expect(handled[0]).toMatchObject({ reference: 'r' })
    expect((handled[0] as { isAdmin?: unknown }).isAdmin).toBeUndefined()
    expect(({} as { a?: unknown }).a).toBeUndefined()
  })

  it.each([
    ['a NUL character', '{"reference":"a\\u0000b"}'],
    ['a NUL character in an unknown field', '{"reference":"r","x":[{"y":"\\u0000"}]}'],
    ['a NUL character in the name of a field', '{"reference":"r","\\u0000":1}'],
    ['the first half of a surrogate pair', '{"reference":"\\ud83d"}'],
    ['the second half of a surrogate pair', '{"reference":"\\ude00x"}'],
    ['a number beyond all numbers', '{"reference":"r","volume_gb":1e999}'],
    ['NaN', '{"reference":"r","volume_gb":NaN}'],
    ['Infinity', '{"reference":"r","volume_gb":Infinity}'],
    ['a bare NUL byte', Buffer.from('{"reference":"a\0b"}')],
    ['unclosed lists', '['.repeat(500_000)],
    ['a comment', '{"reference":"r"/**/}'],
    ['two documents', '{"reference":"r"}{"reference":"r"}'],
  ])('refuses %s with 400', async (_name, body) => {
    const { status, json: answer } = await post(body)
    expect({ status, answer }).toEqual({ status: 400, answer: refusal })
    expect(handled).toEqual([])
    expect(({} as { isAdmin?: unknown }).isAdmin).toBeUndefined()
  })

  it.each(['gzip', 'br', 'deflate', 'x-made-up'])('refuses a body compressed with %s, saying so', async (coding) => {
    const body = gzipSync('{"reference":"r"}')
    const { status, json: answer } = await http.ask('POST', '/api/v2/orders', {
      headers: { ...json, 'content-encoding': coding },
      body,
    })
    expect(status).toBe(400)
    expect(answer?.error?.message).toMatch(/compressed/)
    expect(handled).toEqual([])
  })

  it('takes a body whose coding is identity', async () => {
    const headers = { ...json, 'content-encoding': 'identity' }
    expect((await http.ask('POST', '/api/v2/orders', { headers, body: '{"reference":"r"}' })).status).toBe(200)
  })

  it('takes a whole surrogate pair written as escapes', async () => {
    expect((await post('{"reference":"\\ud83d\\ude00"}')).json?.data).toEqual({ reference: '😀' })
  })

  it('hands over SQL metacharacters unchanged', async () => {
    const reference = `'; drop table orders; -- \\' " $1 %_ /* */`
    expect((await post(JSON.stringify({ reference }))).json?.data).toEqual({ reference })
  })

  it('never answers 5xx and never hangs, whatever JSON comes in', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        const { status, json: answer } = await post(JSON.stringify(value))
        expect([200, 400]).toContain(status)
        expect(answer?.success).toBe(status === 200)
      }),
      { numRuns: 200 },
    )
  })

  it('never answers 5xx, whatever bytes come in', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 64 }), async (bytes) => {
        expect([200, 400]).toContain((await post(Buffer.from(bytes))).status)
      }),
      { numRuns: 100 },
    )
  })

  it('refuses a body whose declared length is above the limit without reading it', async () => {
    const socket = await http.connect()
    socket.write(
      'POST /api/v2/orders HTTP/1.1\r\nHost: x\r\nAuthorization: standard-key\r\nContent-Type: application/json\r\nContent-Length: 99999999999\r\n\r\n',
    )
    const [chunk] = (await once(socket, 'data')) as [Buffer]
    expect(statusAndEnvelope(chunk.toString())).toEqual({ status: 400, body: refusal })
    socket.destroy()
  })

  it('refuses a chunked body as soon as it passes the limit', async () => {
    const socket = await http.connect()
    socket.write(
      'POST /api/v2/orders HTTP/1.1\r\nHost: x\r\nAuthorization: standard-key\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
    )
    const piece = `10000\r\n${'x'.repeat(65_536)}\r\n`
    for (let sent = 0; sent < 17; sent += 1) socket.write(piece)
    const [chunk] = (await once(socket, 'data')) as [Buffer]
    expect(statusAndEnvelope(chunk.toString())).toEqual({ status: 400, body: refusal })
    socket.destroy()
    await expectAlive()
  })
})

describe('paths and headers', () => {
  it('answers a path of 10,000 characters with 404', async () => {
    const answer = await http.ask('GET', `/api/v2/orders/${'a'.repeat(10_000)}`, { headers: json })
    expect(answer).toMatchObject({ status: 404, json: { success: false, error: { code: 404 } } })
  })

  it.each([
    [
      'headers above 16 KB',
      `GET /api/v2/packages HTTP/1.1\r\nHost: x\r\n${'X-Flood: aaaaaaaaaaaaaaaaaaaa\r\n'.repeat(2_000)}\r\n`,
    ],
    ['one endless header', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(100_000)}\r\n\r\n`],
    ['an endless path', `GET /${'a'.repeat(100_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
    ['what is not HTTP', 'EHLO mail.example\r\n\r\n'],
    ['a made-up method', 'BREW /api/v2/orders HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a header without a name', 'GET / HTTP/1.1\r\nHost: x\r\n: y\r\n\r\n'],
    ['two different lengths', 'POST /api/v2/orders HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n{"a":1}'],
    [
      'a length beside chunks',
      'POST /api/v2/orders HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['a version of HTTP that does not exist', 'GET / HTTP/9.9\r\nHost: x\r\n\r\n'],
  ])('answers %s with 400 in the envelope and closes', async (_name, text) => {
    const socket = await http.connect()
    socket.write(text)
    const answer = await readToEnd(socket)
    expect(statusAndEnvelope(answer)).toEqual({ status: 400, body: refusal })
    expect(answer).toMatch(/\r\nX-Request-Id: [\w.-]{8,64}\r\n/)
    await expectAlive()
  })

  it('answers CONNECT with 404 in the envelope', async () => {
    const socket = await http.connect()
    socket.write('CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n')
    const answer = await readToEnd(socket)
    expect(answer).toMatch(/\r\nX-Request-Id: [\w.-]{8,64}\r\n/)
    const { status, body } = statusAndEnvelope(answer)
    expect({ status, body }).toEqual({ status: 404, body: { ...refusal, error: { ...refusal.error, code: 404 } } })
  })

  it.each([
    [
      'with an unknown expectation',
      'GET /api/v2/orders/r HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\nAuthorization: standard-key\r\nConnection: close\r\n\r\n',
    ],
    ['in HTTP/1.0', 'GET /api/v2/orders/r HTTP/1.0\r\nAuthorization: standard-key\r\n\r\n'],
  ])('answers a request %s as any other', async (_name, text) => {
    const socket = await http.connect()
    socket.write(text)
    expect(statusAndEnvelope(await readToEnd(socket))).toMatchObject({ status: 200, body: { data: { reference: 'r' } } })
  })
})

describe('a header that must stand once', () => {
  const get = (headers: string) => `GET /api/v2/orders/r HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`
  const statusOf = async (text: string) => {
    const socket = await http.connect()
    socket.write(text)
    return statusAndEnvelope(await readToEnd(socket)).status
  }

  it.each([
    ['no Host', 'Authorization: standard-key\r\n'],
    ['two Hosts', 'Host: a\r\nhost: b\r\nAuthorization: standard-key\r\n'],
    ['the same Host twice', 'Host: a\r\nHost: a\r\nAuthorization: standard-key\r\n'],
  ])('answers 400 to %s', async (_name, headers) => {
    expect(await statusOf(get(headers))).toBe(400)
  })

  it.each([
    ['two keys', 'Host: a\r\nAuthorization: standard-key\r\nAuthorization: other-key\r\n'],
    ['the same key twice', 'Host: a\r\nAuthorization: standard-key\r\nauthorization: standard-key\r\n'],
    ['no key', 'Host: a\r\n'],
  ])('answers 401 to %s', async (_name, headers) => {
    expect(await statusOf(get(headers))).toBe(401)
  })
})

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type ConnectionOptions, connect as connectSecurely } from 'node:tls'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type HttpApp, startHttpApp } from '../../../test/start-http-app.ts'
import { type HostileBench, readToEnd, refusal, startHostileBench, statusAndEnvelope } from './hostile-bench.fixture.ts'

let http: HttpApp
let handled: unknown[]
let bench: HostileBench
const expectAlive = () => bench.expectAlive()

beforeAll(async () => {
  bench = await startHostileBench()
  ;({ http, handled } = bench)
})
afterAll(() => http.close())
beforeEach(() => {
  handled.length = 0
})

function connectionsOf({ app }: HttpApp): Promise<number> {
  return new Promise((resolve, reject) => app.server.getConnections((error, count) => (error ? reject(error) : resolve(count))))
}

describe('what a TLS connection may use', () => {
  async function offer(options: ConnectionOptions): Promise<string> {
    const socket = connectSecurely({ host: '127.0.0.1', port: http.port, ca: http.ca, servername: 'localhost', ...options })
    const [outcome] = await Promise.race([
      once(socket, 'secureConnect').then(() => [socket.getCipher().name]),
      once(socket, 'error') as Promise<[Error]>,
    ])
    socket.destroy()
    return String(outcome)
  }

  it.each(['ECDHE-ECDSA-AES128-GCM-SHA256', 'ECDHE-ECDSA-CHACHA20-POLY1305'])('takes %s', async (ciphers) => {
    expect(await offer({ maxVersion: 'TLSv1.2', ciphers })).toBe(ciphers)
  })

  it.each(['ECDHE-ECDSA-AES128-SHA256', 'ECDHE-ECDSA-AES256-SHA384', 'ECDHE-ECDSA-AES128-SHA'])(
    'refuses %s, which is CBC',
    async (ciphers) => {
      expect(await offer({ maxVersion: 'TLSv1.2', ciphers })).toMatch(/handshake failure/)
    },
  )

  it('refuses to renegotiate', async () => {
    const socket = connectSecurely({
      host: '127.0.0.1',
      port: http.port,
      ca: http.ca,
      servername: 'localhost',
      maxVersion: 'TLSv1.2',
    })
    await once(socket, 'secureConnect')
    const outcome = await new Promise((resolve) => {
      socket.on('error', resolve).on('close', () => resolve('closed'))
      socket.renegotiate({}, (error) => resolve(error ?? 'renegotiated'))
    })
    expect(String(outcome)).toMatch(/no renegotiation/i)
    socket.destroy()
    await expectAlive()
  })
})

describe('connections of one address on which nothing is asked', () => {
  const ask = 'GET /api/v2/orders/r HTTP/1.1\r\nHost: x\r\nAuthorization: standard-key\r\n\r\n'

  it('beyond the limit the one that rested longest is closed, and one that asks is left alone', async () => {
    const limited = await startHttpApp(bench.register, { limits: { idleConnectionsPerAddress: 2 } })
    const connect = async () => {
      const socket = await limited.connect()
      socket.on('error', () => undefined)
      return socket
    }
    const first = await connect()
    const second = await connect()
    first.write(ask)
    expect(statusAndEnvelope(String((await once(first, 'data'))[0])).status).toBe(200)
    const third = await connect()
    await once(second, 'close')
    third.write(ask)
    expect(statusAndEnvelope(String((await once(third, 'data'))[0])).status).toBe(200)
    expect(first.closed || third.closed).toBe(false)
    for (const socket of [first, third]) socket.destroy()
    await limited.close()
  })

  it('a trusted proxy may hold as many as it likes, and nobody else', async () => {
    const openOf = async (trustedProxies: string[]) => {
      const behind = await startHttpApp(bench.register, {
        transport: { kind: 'proxy', trustedProxies },
        limits: { idleConnectionsPerAddress: 2 },
      })
      const sockets = Array.from({ length: 5 }, () =>
        connect({ host: '127.0.0.1', port: behind.port }).on('error', () => undefined),
      )
      // The fifth connection has its answer only after all five were counted.
      await Promise.all(sockets.map((socket) => once(socket, 'connect')))
      sockets[4]?.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
      await once(sockets[4] as Socket, 'data')
      const open = await connectionsOf(behind)
      for (const socket of sockets) socket.destroy()
      await behind.close()
      return open
    }
    expect(await openOf(['loopback'])).toBe(5)
    expect(await openOf(['192.0.2.1'])).toBeLessThanOrEqual(3)
  })
})

describe('slow clients', () => {
  let slow: HostileBench
  beforeAll(async () => {
    slow = await startHostileBench({ headersMilliseconds: 1_000, requestMilliseconds: 2_000, timeoutCheckMilliseconds: 50 })
  })
  afterAll(() => slow.http.close())

  const head = 'POST /api/v2/orders HTTP/1.1\r\nHost: x\r\nAuthorization: standard-key\r\nContent-Type: application/json\r\n'

  /** Writes one byte every few milliseconds until the server closes the connection. */
  function drip(socket: Socket | Duplex, text: string): NodeJS.Timeout {
    let position = 0
    return setInterval(() => {
      if (socket.writable && position < text.length) socket.write(text.charAt(position))
      position += 1
    }, 20)
  }

  async function answerToDripping(target: HttpApp, first: string, rest: string): Promise<ReturnType<typeof statusAndEnvelope>> {
    const socket = await target.connect()
    socket.write(first)
    const dripping = drip(socket, rest)
    const answer = await readToEnd(socket)
    clearInterval(dripping)
    return statusAndEnvelope(answer)
  }

  it('cuts off a client that drips a body, with 400 in the envelope', async () => {
    const body = `{"reference":"${'a'.repeat(9_000)}`
    const answer = await answerToDripping(slow.http, `${head}Content-Length: 10000\r\n\r\n`, body)
    expect(answer).toEqual({ status: 400, body: refusal })
    expect(slow.handled).toEqual([])
    await slow.expectAlive()
  })

  it('cuts off a client that drips headers long before a whole request may be late', async () => {
    const limits = { headersMilliseconds: 1_000, requestMilliseconds: 600_000, timeoutCheckMilliseconds: 50 }
    const patient = await startHttpApp(bench.register, { limits })
    const answer = await answerToDripping(patient, '', `${head}X-Slow: ${'a'.repeat(10_000)}`)
    expect(answer).toEqual({ status: 400, body: refusal })
    await patient.close()
  })

  it('cuts off a client that never finishes the TLS handshake', async () => {
    const impatient = await startHostileBench({ handshakeMilliseconds: 1_500 })
    const socket = connect({ host: '127.0.0.1', port: impatient.http.port })
    socket.write(Buffer.from([0x16, 0x03, 0x01]))
    expect(await readToEnd(socket)).toBe('')
    await impatient.expectAlive()
    await impatient.http.close()
  })

  it('serves others while a hundred connections hang half-open', async () => {
    const sockets = await Promise.all(Array.from({ length: 100 }, () => slow.http.connect()))
    const reading = sockets.map(readToEnd)
    for (const socket of sockets) socket.write('GET /api/v2/orders/r HTTP/1.1\r\nX: ')
    await slow.expectAlive()
    for (const answer of await Promise.all(reading)) expect(statusAndEnvelope(answer).status).toBe(400)
  })

  it('keeps serving when clients vanish in the middle of a body', async () => {
    for (let times = 0; times < 20; times += 1) {
      const socket = await http.connect()
      socket.write(`${head}Content-Length: 1000\r\n\r\n{"refer`)
      socket.destroy()
    }
    await expectAlive()
    expect(handled).toHaveLength(1)
  })
})

describe('plain HTTP on the TLS port', () => {
  it('gets an error and no answer, without hanging', async () => {
    const socket = connect({ host: '127.0.0.1', port: http.port })
    socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')
    expect(await readToEnd(socket)).not.toContain('HTTP/1.1 2')
    await expectAlive()
  })
})

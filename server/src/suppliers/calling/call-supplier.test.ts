import { spawn } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Socket, type Server as TcpServer } from 'node:net'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { patienceSeconds, untilTrue } from '../../../test/patience.ts'
import { callSupplier, type SupplierReply, type SupplierRequest } from './call-supplier.ts'
import { openSupplierHttpClient, type SupplierHttpClient } from './supplier-http-client.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

async function listen(server: Server | TcpServer): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function answerWith(listener: (...given: Parameters<RequestListener>) => unknown): Promise<string> {
  const server = createServer((request, response) => void listener(request, response))
  closing.push(() => server.closeAllConnections())
  return listen(server)
}

/** A TCP server that counts connections and received bytes, and never answers. */
async function listenInSilence() {
  const seen = { connections: 0, bytes: 0 }
  const closed: Promise<unknown>[] = []
  const sockets: Socket[] = []
  const server = createTcpServer((socket) => {
    seen.connections += 1
    sockets.push(socket)
    closed.push(once(socket, 'close'))
    socket.on('data', (data) => {
      seen.bytes += data.length
    })
    socket.on('error', () => undefined)
  })
  closing.push(() => sockets.forEach((socket) => socket.destroy()))
  return { seen, url: await listen(server), untilClosed: () => Promise.all(closed) }
}

/** @param callSeconds shorter only where a test needs a time-out */
function lineTo(baseUrl: string, callSeconds = patienceSeconds): SupplierHttpClient {
  const timeouts = { connectSeconds: patienceSeconds, callSeconds }
  const line = openSupplierHttpClient({ baseUrl, slots: 4, requestsPerSecond: null, timeouts })
  closing.push(() => line.pool.destroy())
  return line
}

/**
 * Makes a call with so short a time limit that a busy machine may not connect in it. Such a call is rightly unreachable, and
 * is repeated until one has been sent.
 * @param seen counts the received bytes, if the server does
 */
async function untilItLeft(call: () => Promise<SupplierReply>, seen?: { readonly bytes: number }): Promise<SupplierReply> {
  let reply: SupplierReply | undefined
  const hasLeft = async () => {
    reply = await call()
    return reply.kind !== 'unreachable' || (seen?.bytes ?? 0) > 0
  }
  await untilTrue(hasLeft, () => `nothing ever left: ${JSON.stringify(reply)}`)
  return reply as SupplierReply
}

const never = new AbortController().signal
const get: SupplierRequest = { method: 'GET', path: '/status', headers: {} }
const purchase: SupplierRequest = {
  method: 'POST',
  path: '/purchase',
  headers: { 'content-type': 'application/json' },
  body: '{"number":"ɛ"}',
  mayStillSend: () => true,
}

describe('a call to a supplier', () => {
  it('sends one request with its whole body and reads the whole answer', async () => {
    const requests: { request: IncomingMessage; body: string }[] = []
    const url = await answerWith(async (request, response) => {
      requests.push({ request, body: await text(request) })
      response.setHeader('content-type', 'application/json').end('{"ok":true}')
    })
    const reply = await callSupplier(lineTo(`${url}/base/`), purchase, never)
    expect(reply).toMatchObject({ kind: 'answered', status: 200, body: '{"ok":true}', contentType: 'application/json' })
    expect(requests).toHaveLength(1)
    expect(requests[0]?.request.url).toBe('/base/purchase')
    expect(requests[0]?.request.headers['content-length']).toBe('15')
    expect(requests[0]?.body).toBe(purchase.body)
  })

  it('is never repeated: a connection that breaks after the request is lost', async () => {
    let requests = 0
    const url = await answerWith((request) => {
      requests += 1
      request.socket.destroy()
    })
    expect(await callSupplier(lineTo(url), purchase, never)).toMatchObject({ kind: 'lost' })
    expect(await callSupplier(lineTo(url), get, never)).toMatchObject({ kind: 'lost' })
    expect(requests).toBe(2)
  })

  it('is lost when the answer does not come in time, or breaks off, or is no HTTP', async () => {
    const silent = await listenInSilence()
    const late = () => callSupplier(lineTo(silent.url, 0.2), purchase, never)
    expect(await untilItLeft(late, silent.seen)).toMatchObject({ kind: 'lost' })
    expect(silent.seen.bytes).toBeGreaterThan(0)
    const half = await answerWith((_request, response) => {
      response.setHeader('content-length', '100')
      response.write('{"status":', () => response.destroy())
    })
    expect(await callSupplier(lineTo(half), purchase, never)).toMatchObject({ kind: 'lost' })
    const garbage = await listen(createTcpServer((socket) => socket.on('error', () => undefined).end('garbage\r\n\r\n')))
    expect(await callSupplier(lineTo(garbage), purchase, never)).toMatchObject({ kind: 'lost' })
  })

  it('is lost when the answer drips in more slowly than the whole call may take', async () => {
    const url = await answerWith((_request, response) => {
      const timer = setInterval(() => response.write(' '), 50)
      response.on('close', () => clearInterval(timer))
    })
    expect(await untilItLeft(() => callSupplier(lineTo(url, 0.3), purchase, never))).toMatchObject({ kind: 'lost' })
  })

  it('does not read more than 256 KiB of an answer', async () => {
    const url = await answerWith((_request, response) => response.end('x'.repeat(300 * 1024)))
    expect(await callSupplier(lineTo(url), purchase, never)).toMatchObject({
      kind: 'lost',
      evidence: expect.stringMatching(/more than/),
    })
  })

  it('does not follow a redirect', async () => {
    let requests = 0
    const url = await answerWith((_request, response) => {
      requests += 1
      response.writeHead(307, { location: '/elsewhere' }).end()
    })
    expect(await callSupplier(lineTo(url), purchase, never)).toMatchObject({ kind: 'answered', status: 307 })
    expect(requests).toBe(1)
  })

  it('is unreachable when no connection could be made: nothing has left', async () => {
    const server = createTcpServer()
    const url = await listen(server)
    server.close()
    await once(server, 'close')
    expect(await callSupplier(lineTo(url), purchase, never)).toMatchObject({ kind: 'unreachable' })
    expect(await callSupplier(lineTo('http://no-such-host.invalid'), purchase, never)).toMatchObject({ kind: 'unreachable' })
  })

  it('is unreachable when the other side speaks no TLS: nothing has left', async () => {
    const silent = await listenInSilence()
    const reply = await callSupplier(lineTo(silent.url.replace('http:', 'https:'), 0.5), purchase, never)
    expect(reply).toMatchObject({ kind: 'unreachable' })
  })

  it('is not sent when its caller gave up before the first byte, and lost afterwards', async () => {
    const silent = await listenInSilence()
    expect(await callSupplier(lineTo(silent.url), purchase, AbortSignal.abort())).toMatchObject({ kind: 'not_sent' })
    expect(silent.seen).toEqual({ connections: 0, bytes: 0 })
    const caller = new AbortController()
    const reply = callSupplier(lineTo(silent.url), purchase, caller.signal)
    await untilTrue(
      () => silent.seen.bytes > 0,
      () => 'nothing was sent',
    )
    caller.abort()
    expect(await reply).toMatchObject({ kind: 'lost' })
  })

  it('ends when its own time is over: without a connection it was unreachable, without a turn it was not sent', async () => {
    const silent = await listenInSilence()
    const short: SupplierRequest = { ...get, milliseconds: 50 }
    const patient = lineTo(silent.url)
    expect(await untilItLeft(() => callSupplier(patient, short, undefined), silent.seen)).toMatchObject({ kind: 'lost' })
    const secured = lineTo(silent.url.replace('http:', 'https:'))
    expect(await callSupplier(secured, short, undefined)).toMatchObject({ kind: 'unreachable' })
    const line = lineTo(silent.url)
    let left = 0
    const onSent = () => (left += 1)
    subscribe('undici:client:sendHeaders', onSent)
    closing.push(() => unsubscribe('undici:client:sendHeaders', onSent))
    const caller = new AbortController()
    const others = Array.from({ length: 4 }, () => callSupplier(line, get, caller.signal))
    expect(await callSupplier(line, short, undefined)).toMatchObject({ kind: 'not_sent' })
    await untilTrue(
      () => left === 4,
      () => `${left} of the others have left`,
    )
    caller.abort()
    expect((await Promise.all(others)).map(({ kind }) => kind)).toEqual(['lost', 'lost', 'lost', 'lost'])
  })

  it('is never written once its caller gave up while the connection was being made', async () => {
    const silent = await listenInSilence()
    const caller = new AbortController()
    const giveUp = () => caller.abort()
    subscribe('undici:client:beforeConnect', giveUp)
    closing.push(() => unsubscribe('undici:client:beforeConnect', giveUp))
    const line = lineTo(silent.url)
    expect(await callSupplier(line, purchase, caller.signal)).toMatchObject({ kind: 'not_sent' })
    // Unsent data would be sent before the connection closes.
    await line.pool.close()
    await silent.untilClosed()
    expect(silent.seen).toEqual({ connections: 1, bytes: 0 })
  })

  it('starts nothing for the time that a 429 asks for', async () => {
    const url = await answerWith((_request, response) => response.writeHead(429, { 'retry-after': '30' }).end())
    const line = lineTo(url)
    expect(line.pace.free()).toBe(4)
    expect(await callSupplier(line, purchase, never)).toMatchObject({ kind: 'answered', status: 429, retryAfterSeconds: 30 })
    expect(line.pace.free()).toBe(0)
  })
})

describe('the send guard', () => {
  it('holds a purchase back when its time ended while the connection was being made', async () => {
    const silent = await listenInSilence()
    let isOpen = true
    const close = () => {
      isOpen = false
    }
    subscribe('undici:client:beforeConnect', close)
    closing.push(() => unsubscribe('undici:client:beforeConnect', close))
    const line = lineTo(silent.url)
    const reply = await callSupplier(line, { ...purchase, mayStillSend: () => isOpen }, never)
    expect(reply).toMatchObject({ kind: 'not_sent' })
    await line.pool.close()
    await silent.untilClosed()
    expect(silent.seen).toEqual({ connections: 1, bytes: 0 })
  })

  it('is asked for every purchase, also on a connection that is open already', async () => {
    let requests = 0
    const url = await answerWith((request, response) => {
      requests += 1
      request.resume()
      response.end('{}')
    })
    const line = lineTo(url)
    expect(await callSupplier(line, purchase, never)).toMatchObject({ kind: 'answered' })
    expect(await callSupplier(line, { ...purchase, mayStillSend: () => false }, never)).toMatchObject({ kind: 'not_sent' })
    expect(await callSupplier(line, purchase, never)).toMatchObject({ kind: 'answered' })
    expect(requests).toBe(2)
  })

  it.each([
    { windowSeconds: 0.3, stoppedMilliseconds: 600, kind: 'not_sent' },
    { windowSeconds: 300, stoppedMilliseconds: 100, kind: 'lost' },
  ])('answers $kind when the process is stopped for $stoppedMilliseconds ms of a window of $windowSeconds s', async (given) => {
    const silent = await listenInSilence()
    const fixture = fileURLToPath(new URL('call-supplier.fixture.ts', import.meta.url))
    const child = spawn(process.execPath, [fixture, silent.url, String(given.windowSeconds)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    closing.push(() => child.kill('SIGKILL'))
    const printed = text(child.stdout)
    await waitUntilStopped(child.pid)
    await sleep(given.stoppedMilliseconds)
    process.kill(child.pid ?? 0, 'SIGCONT')
    if (given.kind === 'lost') {
      while (silent.seen.bytes === 0) await sleep(10)
      await closing.find((close) => String(close).includes('sockets'))?.()
    }
    expect((await printed).trim()).toBe(given.kind)
    expect(silent.seen.connections).toBe(1)
    expect(silent.seen.bytes > 0).toBe(given.kind === 'lost')
  })
})

/** Waits until a process has stopped itself, as `ps` sees it. */
async function waitUntilStopped(pid: number | undefined): Promise<void> {
  for (;;) {
    const ps = spawn('ps', ['-o', 'state=', '-p', String(pid)])
    if ((await text(ps.stdout)).trim().startsWith('T')) return
    await sleep(20)
  }
}

import { once } from 'node:events'
import type { Duplex } from 'node:stream'
import Type from 'typebox'
import { expect } from 'vitest'
import { type HttpApp, startHttpApp } from '../../../test/start-http-app.ts'
import { ok } from './envelope.ts'
import type { HttpLimits } from './listener/http-limits.ts'
import type { Api } from './route-types.ts'

const Body = Type.Object({ reference: Type.String({ maxLength: 100 }), volume_gb: Type.Optional(Type.Number()) })
const json = { authorization: 'standard-key', 'content-type': 'application/json' }

/** A server with two endpoints, for tests with hostile clients. */
export type HostileBench = {
  readonly http: HttpApp
  /** The bodies that reached a handler. */
  readonly handled: unknown[]
  readonly register: (api: Api) => void
  post(body: string | Buffer): ReturnType<HttpApp['ask']>
  /** Fails unless the server still answers other clients, however slow the machine. */
  expectAlive(): Promise<void>
}

/** Starts a server; `limits` shorten the times after which it cuts off slow clients. */
export async function startHostileBench(limits: Partial<HttpLimits> = {}): Promise<HostileBench> {
  const handled: unknown[] = []
  function register(api: Api): void {
    api.post('/orders', { config: { keyType: 'standard' }, schema: { body: Body } }, (request) => {
      handled.push(request.body)
      return ok({ reference: request.body.reference })
    })
    const params = Type.Object({ reference: Type.String() })
    api.get('/orders/:reference', { config: { keyType: 'standard' }, schema: { params } }, (request) => ok(request.params))
  }
  const http = await startHttpApp(register, { limits })
  const post = (body: string | Buffer) => http.ask('POST', '/api/v2/orders', { headers: json, body })
  return {
    http,
    handled,
    register,
    post,
    async expectAlive() {
      await expect.poll(async () => (await post('{"reference":"still here"}')).status).toBe(200)
    },
  }
}

/** Reads everything that the server sends until it closes or resets the connection. */
export async function readToEnd(socket: Duplex): Promise<string> {
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  socket.on('error', () => undefined)
  if (!socket.closed) await once(socket, 'close').catch(() => undefined)
  return Buffer.concat(chunks).toString('latin1')
}

export function statusAndEnvelope(raw: string): { status: number; body: unknown } {
  const [head = '', body = ''] = raw.split('\r\n\r\n')
  return { status: Number(head.split(' ')[1]), body: JSON.parse(body) }
}

export const refusal = { success: false, error: { code: 400, message: expect.any(String) } }

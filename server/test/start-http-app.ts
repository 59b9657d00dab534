import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import { Agent, request as secureRequest } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectSecurely, type TLSSocket } from 'node:tls'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import type { Caller, KeyType } from '../src/accounts/caller.ts'
import { type AppDeps, buildApp } from '../src/build-app.ts'
import { createRateLimiter } from '../src/platform/http/limits/create-rate-limiter.ts'
import { prepareTransport } from '../src/platform/http/listener/prepare-transport.ts'
import { RefusalError, refusals } from '../src/platform/http/refusals.ts'
import type { Api } from '../src/platform/http/route-types.ts'

export type HttpAnswer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  /** The parsed body; undefined when there is none. */
  readonly json: { success?: boolean; data?: unknown; error?: { code: number; message: string }; meta?: unknown } | undefined
}

export type HttpApp = {
  readonly app: FastifyInstance
  readonly port: number
  readonly ca: string
  /** Sends one request over TLS, trusting only the local authority. `body` goes out as it is. */
  ask(method: string, path: string, options?: { body?: string | Buffer; headers?: OutgoingHttpHeaders }): Promise<HttpAnswer>
  /** Opens a bare TLS connection, for requests that no client library would send. */
  connect(): Promise<TLSSocket>
  close(): Promise<void>
}

/**
 * Knows one key for each type, such as `sms-key`, and `other-key` as a second standard one. It stands in for the
 * accounts, which this layer does not know.
 */
async function authenticateByName(asked: { authorization: string | undefined; keyType: KeyType }): Promise<Caller> {
  const types: Record<string, KeyType> = {
    'standard-key': 'standard',
    'other-key': 'standard',
    'sms-key': 'sms',
    'commission-key': 'commission',
  }
  const keyType = types[asked.authorization ?? '']
  if (!asked.authorization || !keyType) throw new RefusalError(refusals.invalidKey)
  if (keyType !== asked.keyType) throw new RefusalError(refusals.wrongKeyType(asked.keyType))
  return { accountId: 'account', keyId: asked.authorization, keyType, role: 'customer', roleExpiresAt: null }
}

function sendOver(agent: Agent, port: number): HttpApp['ask'] {
  return async (method, path, { body, headers = {} } = {}) => {
    const sent = secureRequest({ agent, host: 'localhost', port, method, path, headers })
    sent.end(body)
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    const chunks: Buffer[] = []
    for await (const chunk of response) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString('utf8')
    // A file is no JSON.
    const isJson = text !== '' && !/^(text\/csv|application\/pdf)/.test(response.headers['content-type'] ?? '')
    const json = isJson ? (JSON.parse(text) as HttpAnswer['json']) : undefined
    return { status: response.statusCode ?? 0, headers: response.headers, text, json }
  }
}

/** Starts the HTTP layer alone, over TLS on a free port, with the routes that a test registers. */
export async function startHttpApp(
  register: (api: Api) => void,
  options: Partial<AppDeps> & { registerCallbacks?: (callbacks: FastifyInstance) => void } = {},
): Promise<HttpApp> {
  const dataDir = await mkdtemp(join(tmpdir(), 'makola-http-'))
  const transport = await prepareTransport({ kind: 'local' }, { dataDir, host: '127.0.0.1' })
  const log = options.log ?? pino({ level: 'silent' })
  const rateLimiter = createRateLimiter({ store: 'memory', log })
  const deps: AppDeps = {
    transport,
    mode: 'simulated',
    authenticate: authenticateByName,
    rateLimiter,
    rateLimitOverrides: () => ({}),
    isReady: () => true,
    ...options,
    log,
  }
  const app = buildApp(deps, register, options.registerCallbacks)
  await app.listen({ host: '127.0.0.1', port: 0 }).catch(async (error: unknown) => {
    await rm(dataDir, { recursive: true, force: true })
    throw error
  })
  const { port } = app.server.address() as AddressInfo
  const ca = await readFile(join(dataDir, 'tls', 'ca.pem'), 'utf8')
  const agent = new Agent({ ca, keepAlive: true })
  return {
    app,
    port,
    ca,
    ask: sendOver(agent, port),
    async connect() {
      const socket = connectSecurely({ host: '127.0.0.1', port, ca, servername: 'localhost' })
      await once(socket, 'secureConnect')
      return socket
    },
    async close() {
      agent.destroy()
      await app.close()
      rateLimiter.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

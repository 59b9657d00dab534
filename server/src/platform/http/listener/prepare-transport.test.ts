import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AppDeps, buildApp } from '../../../build-app.ts'
import { ok } from '../envelope.ts'
import { createRateLimiter } from '../limits/create-rate-limiter.ts'
import { ensureLocalCertificate } from './local-certificate-authority.ts'
import { prepareTransport } from './prepare-transport.ts'

const log = pino({ level: 'silent' })

async function startBehindProxy(trustedProxies: string[]): Promise<{ app: FastifyInstance; url: string }> {
  const deps: AppDeps = {
    log,
    transport: await prepareTransport({ kind: 'proxy', trustedProxies }, { dataDir: tmpdir(), host: '127.0.0.1' }),
    mode: 'live',
    authenticate: async ({ ipAddress }) => ({
      accountId: ipAddress,
      keyId: 'key',
      keyType: 'standard',
      role: 'customer',
      roleExpiresAt: null,
    }),
    rateLimiter: createRateLimiter({ store: 'memory', log }),
    rateLimitOverrides: () => ({}),
    isReady: () => true,
  }
  const app = buildApp(deps, (api) => {
    api.get('/who', { config: { keyType: 'standard' } }, (request) => ok({ address: request.caller.accountId }))
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  return { app, url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}` }
}

async function ask(url: string, headers: Record<string, string>) {
  const response = await fetch(url, { headers })
  return { status: response.status, headers: response.headers, json: (await response.json()) as Record<string, unknown> }
}

const httpsOnly = { success: false, error: { code: 403, message: 'Only HTTPS is accepted.' } }

describe('behind a trusted proxy', () => {
  let started: Awaited<ReturnType<typeof startBehindProxy>>
  beforeAll(async () => {
    started = await startBehindProxy(['127.0.0.1'])
  })
  afterAll(() => started.app.close())

  it('serves what the proxy received over HTTPS, sees the real address, and asks browsers to stay on HTTPS', async () => {
    const answer = await ask(`${started.url}/api/v2/who`, { 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.9' })
    expect(answer.json).toMatchObject({ success: true, data: { address: '203.0.113.9' } })
    expect(answer.headers.get('strict-transport-security')).toBe('max-age=31536000')
    expect(answer.headers.get('x-makola-mode')).toBeNull()
  })

  it('drops the zone of a link-local address, which PostgreSQL would refuse', async () => {
    const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-for': 'fe80::fc:ff:fe00:1%eth0' }
    expect((await ask(`${started.url}/api/v2/who`, headers)).json).toMatchObject({ data: { address: 'fe80::fc:ff:fe00:1' } })
  })

  it.each([
    ['says http', { 'x-forwarded-proto': 'http' }],
    ['says nothing', {}],
    ['says nonsense', { 'x-forwarded-proto': 'HTTPS-ish' }],
  ])('answers 403 in the envelope when the proxy %s', async (_name, headers) => {
    for (const path of ['/api/v2/who', '/api/v2/nowhere', '/api/v1', '/openapi.json']) {
      const answer = await ask(`${started.url}${path}`, headers)
      expect({ status: answer.status, json: answer.json }).toEqual({ status: 403, json: httpsOnly })
    }
  })

  it('answers health checks without HTTPS', async () => {
    expect((await ask(`${started.url}/healthz`, {})).status).toBe(200)
    expect((await ask(`${started.url}/readyz`, {})).status).toBe(200)
  })
})

it('believes nobody but the trusted proxies: a forged X-Forwarded-Proto is refused', async () => {
  const { app, url } = await startBehindProxy(['10.1.2.3'])
  try {
    const answer = await ask(`${url}/api/v2/who`, { 'x-forwarded-proto': 'https' })
    expect({ status: answer.status, json: answer.json }).toEqual({ status: 403, json: httpsOnly })
  } finally {
    await app.close()
  }
})

it('refuses to start with certificate files that do not belong together', async () => {
  const folders = await Promise.all([1, 2].map(() => mkdtemp(join(tmpdir(), 'makola-tls-'))))
  try {
    const [one, two] = await Promise.all(folders.map((folder) => ensureLocalCertificate(folder, [])))
    if (!one || !two) throw new Error('nothing was made')
    const place = { dataDir: tmpdir(), host: 'localhost' }
    const good = await prepareTransport({ kind: 'files', certFile: one.certFile, keyFile: one.keyFile }, place)
    expect(good).toMatchObject({ kind: 'tls', isPublic: true })
    await expect(prepareTransport({ kind: 'files', certFile: one.certFile, keyFile: two.keyFile }, place)).rejects.toThrow(
      'key values mismatch',
    )
    await expect(prepareTransport({ kind: 'files', certFile: '/none', keyFile: one.keyFile }, place)).rejects.toThrow('ENOENT')
  } finally {
    await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })))
  }
})

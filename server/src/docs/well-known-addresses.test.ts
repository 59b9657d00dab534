import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Agent, request } from 'undici'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { patienceSeconds } from '../../test/patience.ts'
import { startTestApp, type TestApp } from '../../test/start-test-app.ts'
import { securityContactSetting } from '../platform/http/http.settings.ts'
import { writeSetting } from '../platform/settings/settings.ts'

let app: TestApp
let agent: Agent

beforeAll(async () => {
  app = await startTestApp()
  agent = new Agent({ connect: { ca: await readFile(join(app.dataDir, 'tls', 'ca.pem')) } })
})
afterAll(async () => {
  await agent.close()
  await app.close()
})

async function get(path: string, headers: Record<string, string> = {}) {
  const response = await request(`${app.url}${path}`, { dispatcher: agent, headers })
  return { status: response.statusCode, headers: response.headers, text: await response.body.text() }
}

describe('what everybody looks for on a server', () => {
  const asBrowser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }

  test('the address alone leads to the app', async () => {
    const { status, headers } = await get('/')
    expect([status, headers['location']]).toEqual([302, '/app'])
  })

  test.each(['/nowhere', '/docs/nothing', '/admin.php?x=1'])('a browser gets a page for %s, which leads on', async (path) => {
    const { status, headers, text } = await get(path, asBrowser)
    expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
    expect(headers['content-security-policy']).toContain("style-src 'self'")
    expect(headers['x-request-id']).toEqual(expect.any(String))
    expect(text).toContain('<h1>There is nothing here</h1>')
    expect(text).toContain('<a href="/docs">')
    const [, style = ''] = /<link rel="stylesheet" href="([^"]+)"/.exec(text) ?? []
    expect((await get(style)).status).toBe(200)
  })

  test.each([
    ['/nowhere', { accept: '*/*' }],
    ['/nowhere', { accept: 'application/json' }],
    ['/api/v2/nowhere', asBrowser],
    ['/api', asBrowser],
    ['/callbacks/nowhere', asBrowser],
  ])('a program gets the envelope for %s with %j', async (path, headers) => {
    const { status, text } = await get(path, headers)
    expect(status).toBe(404)
    expect(JSON.parse(text)).toMatchObject({ success: false, error: { code: 404 } })
  })

  test('robots are kept out of the API', async () => {
    const { status, headers, text } = await get('/robots.txt')
    expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
    expect(text).toMatch(/^User-agent: \*\nDisallow: \/api\/\n/)
  })

  test.each(['/favicon.svg', '/favicon.ico', '/docs/icon.svg'])('%s is the green M', async (path) => {
    const { status, headers, text } = await get(path)
    expect([status, headers['content-type']]).toEqual([200, 'image/svg+xml'])
    expect(text).toMatch(/^<svg .*#0c6b4f/)
  })

  test('security.txt names the operator’s contact (RFC 9116), and says so while there is none', async () => {
    const unset = await get('/.well-known/security.txt')
    expect(unset.status).toBe(404)
    expect(unset.text).toContain('has not said where weaknesses are reported')
    await writeSetting(app.database.db, securityContactSetting, 'mailto:security@example.com', 'test')
    const read = () => get('/.well-known/security.txt')
    await vi.waitFor(async () => expect((await read()).status).toBe(200), { timeout: patienceSeconds * 1_000, interval: 50 })
    const { text, headers } = await read()
    expect(headers['content-type']).toBe('text/plain; charset=utf-8')
    const fields = new Map(
      text
        .trim()
        .split('\n')
        .map((line) => line.split(/: (.*)/) as [string, string]),
    )
    expect(fields.get('Contact')).toBe('mailto:security@example.com')
    expect(fields.get('Canonical')).toMatch(/^https:\/\/.*\/\.well-known\/security\.txt$/)
    const days = (Date.parse(fields.get('Expires') ?? '') - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(30)
    expect(days).toBeLessThan(365)
  })
})

import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { servePages } from './serve-pages.ts'

async function openPages(folder: string) {
  const app = fastify()
  servePages(app, {
    folder,
    hasSession: (cookie) => cookie === 'session',
    answerUnknown: (_request, reply) => void reply.code(404).send({ success: false }),
  })
  await app.ready()
  return app
}

async function buildPages(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'makola-pages-'))
  for (const face of ['app', 'desk']) {
    await mkdir(join(folder, face))
    await writeFile(join(folder, face, 'index.html'), `<title>${face}</title>`)
  }
  for (const page of ['home', 'sign-in']) await writeFile(join(folder, 'app', `${page}.html`), `<title>${page}</title>`)
  await mkdir(join(folder, 'assets'))
  await writeFile(join(folder, 'assets', 'main-1.js'), 'plain')
  await writeFile(join(folder, 'assets', 'main-1.js.br'), 'compressed')
  return folder
}

test('every address of a face is its page, which no browser keeps without asking, and which runs only our scripts', async () => {
  const app = await openPages(await buildPages())
  for (const url of ['/app', '/app/', '/app/orders/my-order', '/desk', '/desk/needs-you']) {
    const { statusCode, headers, body } = await app.inject(url)
    expect([url, statusCode, body]).toEqual([url, 200, `<title>${url.split('/')[1]}</title>`])
    expect(headers['cache-control']).toBe('no-cache')
    expect(headers['content-security-policy']).toContain("script-src 'self';")
  }
})

test('the page of the app names what a browser shows first: Home after a sign-in, the sign-in before it', async () => {
  const app = await openPages(await buildPages())
  const titleOf = async (url: string, headers: Record<string, string>) =>
    /<title>(.*)</.exec((await app.inject({ url, headers })).body)?.[1]
  const opened = { 'sec-fetch-mode': 'navigate' }
  for (const url of ['/app', '/app/', '/app?from=mail']) expect(await titleOf(url, { ...opened, cookie: 'session' })).toBe('home')
  expect(await titleOf('/app/wallet', { ...opened, cookie: 'session' })).toBe('app')
  for (const url of ['/app', '/app/wallet']) expect(await titleOf(url, opened)).toBe('sign-in')
  // The service worker asks for this page without a navigation, and keeps it for all addresses.
  expect(await titleOf('/app', { 'sec-fetch-mode': 'cors', cookie: 'session' })).toBe('app')
  expect(await titleOf('/desk', { ...opened, cookie: 'session' })).toBe('desk')
})

test('a page runs no script of its own text and of no other site, talks to this server alone, and stands in no frame', async () => {
  const app = await openPages(await buildPages())
  for (const url of ['/app/verify', '/desk/set-password']) {
    const policy = String((await app.inject(url)).headers['content-security-policy']).split('; ')
    const sourcesOf = (name: string) => policy.find((line) => line.startsWith(`${name} `))?.slice(name.length + 1)
    expect(sourcesOf('default-src')).toBe("'none'")
    for (const name of ['script-src', 'connect-src', 'form-action', 'worker-src'])
      expect([name, sourcesOf(name)]).toEqual([name, "'self'"])
    for (const name of ['base-uri', 'frame-ancestors']) expect([name, sourcesOf(name)]).toEqual([name, "'none'"])
    expect(policy.join(' ')).not.toMatch(/unsafe-eval|https?:|\*/)
  }
})

test('an address below a face’s API is none of its pages', async () => {
  const app = await openPages(await buildPages())
  expect((await app.inject('/app/api/nothing')).statusCode).toBe(404)
  expect((await app.inject('/desk/api')).statusCode).toBe(404)
})

test('what a page loads is kept for a year, and comes compressed where the browser takes it', async () => {
  const app = await openPages(await buildPages())
  const { headers, body } = await app.inject({ url: '/assets/main-1.js', headers: { 'accept-encoding': 'gzip, br' } })
  expect([headers['content-encoding'], body]).toEqual(['br', 'compressed'])
  expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
  expect((await app.inject('/assets/main-1.js')).body).toBe('plain')
  expect((await app.inject('/assets/nothing-2.js')).statusCode).toBe(404)
})

test('503: without the built pages, /app says how to build them', async () => {
  const app = await openPages(join(tmpdir(), 'makola-no-such-folder'))
  const { statusCode, body } = await app.inject('/app')
  expect(statusCode).toBe(503)
  expect(body).toContain('npm run build')
})

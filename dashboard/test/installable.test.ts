import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectVisible } from './expect-visible.ts'
import { setUpShopInBrowser } from './set-up-shop-in-browser.ts'

const shop = setUpShopInBrowser()

const frame = (page: Page) => page.getByRole('navigation', { name: 'Screens' })
/** Waits until the browser has stored the page and its files for use without a connection. */
const untilKept = (page: Page) => page.evaluate('navigator.serviceWorker.ready.then(() => undefined)')

test('Chromium finds nothing that keeps it from installing the app, and its icons are as large as they say', async () => {
  const page = await shop.openPage({ isKept: true })
  await untilKept(page)
  const session = await page.context().newCDPSession(page)
  const { url, errors, data = '{}' } = await session.send('Page.getAppManifest')
  expect([new URL(url).pathname, errors]).toEqual(['/app/manifest.webmanifest', []])
  expect((await session.send('Page.getInstallabilityErrors')).installabilityErrors).toEqual([])
  type Manifest = { icons: { src: string; sizes: string; type: string }[]; shortcuts: { name: string; url: string }[] }
  const { icons, shortcuts } = JSON.parse(data) as Manifest
  expect(shortcuts.map(({ name, url: path }) => [name, path])).toEqual([
    ['Buy', '/app/buy'],
    ['Orders', '/app/orders'],
  ])
  for (const { src, sizes, type } of icons) {
    const answer = await page.request.get(src)
    expect([answer.status(), answer.headers()['content-type']]).toEqual([200, type])
    // A PNG says its width and its height in bytes 16 to 23.
    const body = await answer.body()
    expect(`${body.readUInt32BE(16)}x${body.readUInt32BE(20)}`).toBe(sizes)
  }
})

test('without a connection the app opens, says plainly so, and goes on by itself when the connection is back', async () => {
  const page = await shop.openPage({ as: 'owner', isKept: true })
  await expectVisible(frame(page))
  await untilKept(page)
  await page.context().setOffline(true)
  // The open page says it at once.
  await expectVisible(page.getByText('You are offline.'))
  // The page says it after its first failed read, and does not show a skeleton while it repeats the read.
  const reads: string[] = []
  page.on('request', (request) => request.url().endsWith('/app/api/me') && reads.push(request.resourceType()))
  await page.goto('/app')
  await expectVisible(page.getByRole('heading', { name: 'You are offline' }))
  expect(reads.length).toBeLessThanOrEqual(2)
  await page.context().setOffline(false)
  await expectVisible(frame(page))
})

test('a screen whose file does not come leaves the frame, and comes when somebody tries again', async () => {
  const page = await shop.openPage({ as: 'owner' })
  await expectVisible(frame(page))
  await page.context().setOffline(true)
  await frame(page).getByText('More').click()
  await expectVisible(page.getByRole('heading', { name: 'This screen did not load' }))
  await page.context().setOffline(false)
  shop.expectFaults(/dynamically imported module/)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expectVisible(page.getByRole('button', { name: 'Sign out' }))
})

test('nothing that the API says is kept in the browser, and no file of an older version', async () => {
  const page = await shop.openPage({ as: 'owner', isKept: true })
  await expectVisible(frame(page))
  await untilKept(page)
  const kept = await page.evaluate<string[]>(`
    caches.keys()
      .then((names) => Promise.all(names.map((name) => caches.open(name).then((cache) => cache.keys()))))
      .then((requests) => requests.flat().map(({ url }) => new URL(url).pathname))
  `)
  expect(kept).toContain('/app')
  expect(kept.filter((path) => path !== '/app' && !path.startsWith('/assets/'))).toEqual([])
  const worker = await page.request.get('/app/service-worker.js')
  expect(worker.headers()).toMatchObject({ 'cache-control': 'no-cache', 'service-worker-allowed': '/app' })
})

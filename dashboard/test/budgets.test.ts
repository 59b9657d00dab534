import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { CDPSession, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectVisible } from './expect-visible.ts'
import { builtFolder } from './must-be-built.ts'
import { setUpShopInBrowser } from './set-up-shop-in-browser.ts'

/** Bytes over the wire, heads of answers included. */
const kilobyte = 1_000
const budgets = { signIn: 130 * kilobyte, overview: 160 * kilobyte, overviewRequests: 8, laterScreen: 25 * kilobyte, shift: 0.05 }

/** What the bundler says of each file that it wrote: which others it loads at once, by their sources. */
type Written = Readonly<Record<string, { readonly file: string; readonly name: string; readonly imports?: readonly string[] }>>
const written = JSON.parse(readFileSync(join(builtFolder, '.vite/manifest.json'), 'utf8')) as Written

/** The built files that come with a source or a named file, itself and all that it loads at once. */
function filesOf(source: string, found = new Set<string>()): Set<string> {
  const entry = written[source] ?? Object.values(written).find(({ name }) => name === source)
  if (!entry) throw new Error(`no file was built of ${source}`)
  if (found.has(entry.file)) return found
  found.add(entry.file)
  for (const other of entry.imports ?? []) filesOf(other, found)
  return found
}

/** Every screen of the app but the overview. */
const screenFiles = (): string[] =>
  Object.keys(written).filter((source) => /^src\/app\/.*-screen\.tsx$/.test(source) && !source.endsWith('/home-screen.tsx'))

const shop = setUpShopInBrowser()

type Transfer = { readonly path: string; readonly bytes: number }

/** Everything that a page gets over the network, while `work` is done and until nothing more is asked for. */
async function transfersDuring(page: Page, work: () => Promise<unknown>): Promise<Transfer[]> {
  const session: CDPSession = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  const paths = new Map<string, string>()
  const transfers: Transfer[] = []
  session.on('Network.requestWillBeSent', ({ requestId, request }) => paths.set(requestId, new URL(request.url).pathname))
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    // What the browser has kept comes without a byte.
    if (encodedDataLength > 0) transfers.push({ path: paths.get(requestId) ?? '', bytes: encodedDataLength })
  })
  await work()
  await page.waitForLoadState('networkidle')
  await session.detach()
  return transfers
}

const sum = (transfers: readonly Transfer[]): number => transfers.reduce((total, { bytes }) => total + bytes, 0)
const isStatic = ({ path }: Transfer): boolean => path.startsWith('/assets/')

/** How far what was already painted has moved (cumulative layout shift). */
const readShift = (page: Page): Promise<number> =>
  page.evaluate<number>(`new Promise((resolve) => {
    new PerformanceObserver((list, observer) => {
      observer.disconnect()
      resolve(list.getEntries().reduce((total, { value, hadRecentInput }) => (hadRecentInput ? total : total + value), 0))
    }).observe({ type: 'layout-shift', buffered: true })
    setTimeout(() => resolve(0), 500)
  })`)

test('the sign-in of a first visit comes to 130 KB in all, and nothing moves after the first paint', async () => {
  const page = await shop.openPage({ path: null })
  const transfers = await transfersDuring(page, async () => {
    await page.goto('/app')
    await expectVisible(page.getByLabel('E-mail'))
  })
  expect(transfers.some(isStatic)).toBe(true)
  expect({ transfers, isWithin: sum(transfers) <= budgets.signIn }).toEqual({ transfers, isWithin: true })
  expect(await readShift(page)).toBeLessThan(budgets.shift)
})

test('the overview comes to 160 KB and 8 requests, and a second visit loads no file', async () => {
  const page = await shop.openPage({ path: null, as: 'owner' })
  const open = async () => {
    await page.goto('/app')
    await expectVisible(page.getByRole('main'))
  }
  const transfers = await transfersDuring(page, open)
  const isWithin = sum(transfers) <= budgets.overview && transfers.length <= budgets.overviewRequests
  expect({ transfers, isWithin }).toEqual({ transfers, isWithin: true })
  expect(await readShift(page)).toBeLessThan(budgets.shift)
  expect((await transfersDuring(page, open)).filter(isStatic)).toEqual([])
})

test.each(screenFiles())('%s adds at most 25 KB to what the overview has loaded', (file) => {
  const loaded = new Set([...filesOf('app/index.html'), ...filesOf('home')])
  const more = [...filesOf(file)].filter((name) => !loaded.has(name))
  expect(more.length).toBeGreaterThan(0)
  const bytes = more.reduce((total, name) => total + statSync(join(builtFolder, `${name}.br`)).size, 0)
  expect({ more, bytes, isWithin: bytes <= budgets.laterScreen }).toEqual({ more, bytes, isWithin: true })
})

import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { CDPSession, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectVisible } from './expect-visible.ts'
import { builtFolder } from './must-be-built.ts'
import { type Face, screenLines } from './screen-paths.ts'
import { setUpShopInBrowser } from './set-up-shop-in-browser.ts'

/**
 * The sign-in and the overview are measured over the wire, heads of answers included; later screens and charts by their
 * compressed files.
 */
const kilobyte = 1_000
const budgets = {
  signIn: 130 * kilobyte,
  overview: 160 * kilobyte,
  overviewRequests: 8,
  laterScreen: 25 * kilobyte,
  chart: 60 * kilobyte,
  shift: 0.05,
}

/** The bundler's list of the files that it wrote, each with the sources of the files that it loads at once. */
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

/** The files that a face has loaded after the sign-in: those of its page and of its first screen. */
function cameIn(face: Face): Set<string> {
  const first = screenLines(face).find(({ path }) => path === '/')?.source ?? ''
  // The app's overview shares the file named `home` with the rows of orders.
  const rest = face === 'app' ? filesOf('home') : first in written ? filesOf(first) : []
  return new Set([...filesOf(`${face}/index.html`), ...rest])
}

/** Every other screen of a face. */
const laterScreens = (face: Face): { face: Face; source: string }[] =>
  [...new Set(screenLines(face).flatMap(({ path, source }) => (path === '/' ? [] : [source])))].map((source) => ({
    face,
    source,
  }))

/** The parts that are loaded after their screen, in requests of their own, such as a chart. */
const laterParts = (): string[] =>
  Object.keys(written).filter((source) => /^src\/(?:app|desk)\/.*\.tsx$/.test(source) && !source.endsWith('-screen.tsx'))

const bytesOf = (files: readonly string[]): number =>
  files.reduce((total, name) => total + statSync(join(builtFolder, `${name}.br`)).size, 0)

const shop = setUpShopInBrowser()

/** `initiator` is `parser` for a file that the HTML page names, and `script` for one that only the running app requests. */
type Transfer = { readonly path: string; readonly bytes: number; readonly initiator: string }

/** Collects all that a page gets over the network while `work` runs, and until it sends no more requests. */
async function transfersDuring(page: Page, work: () => Promise<unknown>): Promise<Transfer[]> {
  const session: CDPSession = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  const asked = new Map<string, Omit<Transfer, 'bytes'>>()
  const transfers: Transfer[] = []
  session.on('Network.requestWillBeSent', ({ requestId, request, initiator }) =>
    asked.set(requestId, { path: new URL(request.url).pathname, initiator: initiator.type }),
  )
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    // An answer from the browser's own cache has no bytes.
    const { path = '', initiator = '' } = asked.get(requestId) ?? {}
    if (encodedDataLength > 0) transfers.push({ path, initiator, bytes: encodedDataLength })
  })
  await work()
  await page.waitForLoadState('networkidle')
  await session.detach()
  return transfers
}

const sum = (transfers: readonly Transfer[]): number => transfers.reduce((total, { bytes }) => total + bytes, 0)
/** The requests of the running app. Each costs a phone a further round trip after the app has come. */
const askedLate = (transfers: readonly Transfer[]) => transfers.filter(({ initiator }) => initiator === 'script')
const isStatic = ({ path }: Transfer): boolean => path.startsWith('/assets/')

/** Reads how far painted content has moved by itself (cumulative layout shift). */
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
  expect(askedLate(transfers)).toEqual([])
  expect({ transfers, isWithin: sum(transfers) <= budgets.signIn }).toEqual({ transfers, isWithin: true })
  expect(await readShift(page)).toBeLessThan(budgets.shift)
})

test('the shared code begins with the line by which Chromium compiles it while it still comes', () => {
  const { file = '' } = Object.values(written).find(({ name }) => name === 'base') ?? {}
  expect(readFileSync(join(builtFolder, file), 'utf8').split('\n')[0]).toBe('//# allFunctionsCalledOnLoad')
})

test('the overview comes to 160 KB and 8 requests, asks for its numbers once, and a second visit loads no file', async () => {
  const page = await shop.openPage({ path: null, as: 'owner' })
  const open = async () => {
    await page.goto('/app')
    await expectVisible(page.getByRole('main'))
  }
  const transfers = await transfersDuring(page, open)
  const isWithin = sum(transfers) <= budgets.overview && transfers.length <= budgets.overviewRequests
  expect({ transfers, isWithin }).toEqual({ transfers, isWithin: true })
  expect(transfers.filter(({ path }) => path === '/app/api/home')).toHaveLength(1)
  expect(askedLate(transfers)).toEqual([])
  expect(await readShift(page)).toBeLessThan(budgets.shift)
  expect((await transfersDuring(page, open)).filter(isStatic)).toEqual([])
})

test.each([...laterScreens('app'), ...laterScreens('desk')])(
  '$source adds at most 25 KB to what the first screen has loaded',
  ({ face, source }) => {
    const loaded = cameIn(face)
    const more = [...filesOf(source)].filter((name) => !loaded.has(name))
    expect(more.length).toBeGreaterThan(0)
    const bytes = bytesOf(more)
    expect({ more, bytes, isWithin: bytes <= budgets.laterScreen }).toEqual({ more, bytes, isWithin: true })
  },
)

test('what a screen loads later, such as a chart, comes to 60 KB at most, and not before it is shown', () => {
  const parts = laterParts()
  expect(parts).toContain('src/desk/reports/line-chart.tsx')
  for (const part of parts)
    expect({ part, isWithin: bytesOf([written[part]?.file ?? '']) <= budgets.chart }).toEqual({ part, isWithin: true })
  const charts = new Set(parts.map((part) => written[part]?.file ?? ''))
  const early = Object.keys(written).filter((source) => source.endsWith('-screen.tsx') || source.endsWith('.html'))
  expect(early.filter((source) => [...filesOf(source)].some((file) => charts.has(file)))).toEqual([])
})

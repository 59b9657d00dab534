import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { writeCommissionPlan } from '../../server/src/money/write-commission-plan.ts'
import { until } from '../../server/src/orders/dispatch/order-bench.fixture.ts'
import { answerOrderReport } from '../../server/src/orders/order-reports/answer-order-report.ts'
import { inTransaction } from '../../server/src/platform/database/in-transaction.ts'
import { readPdf } from '../../server/test/reading/read-pdf.ts'
import { waitUntilFarFromEnd } from '../../server/test/running/today-that-lasts.ts'
import { expectNoAxeViolations } from './expect-no-axe-violations.ts'
import { expectVisible } from './expect-visible.ts'
import { emailOf } from './make-team.ts'
import { type BrowserShop, setUpShopInBrowser } from './set-up-shop-in-browser.ts'

const delivered = { network: 'MTN', beneficiary_phone: '0241234567', amount: 50, reference: 'first-airtime' }
const failed = { network: 'MTN', beneficiary_phone: '0241234901', amount: 20, reference: 'second-airtime' }

const statusesOf = async ({ db, accountId }: BrowserShop) => {
  const orders = await db.selectFrom('orders').select(['reference', 'status']).where('account_id', '=', accountId).execute()
  return Object.fromEntries(orders.map(({ reference, status }) => [reference, status]))
}

/** Buys as the owner does, and lets the worker bring both orders to their ends. */
async function buyAndDeliver(opened: BrowserShop): Promise<void> {
  await waitUntilFarFromEnd('day')
  const shares = [{ product: 'airtime', role: 'agent', shareBasisPoints: 5_000 }] as const
  await inTransaction(opened.db, (tx) => writeCommissionPlan(tx, { shares }))
  await opened.app.untilSeen()
  await opened.startWorker()
  const page = await opened.openPage({ as: 'owner', path: null })
  const headers = { origin: opened.app.url }
  const bought = await page.request.post('/app/api/airtime/purchase', { data: { orders: [delivered, failed] }, headers })
  expect(bought.status()).toBe(200)
  await until(async () => {
    const statuses = await statusesOf(opened)
    return statuses['first-airtime'] === 'completed' && statuses['second-airtime'] === 'refunded'
  })
  await opened.stopWorker()
}

const shop = setUpShopInBrowser({ isSimulated: true, prepare: buyAndDeliver })

const openApp = (path: string, width = 360, colorScheme: 'light' | 'dark' = 'light') =>
  shop.openPage({ as: 'owner', path: `/app${path}`, width, colorScheme })
const balanceOf = async (page: Page, label = 'Balance') => page.getByLabel(label, { exact: true }).innerText()

/** True when the page is wider than the screen, so that a person must scroll sideways to read it. */
const isTooWide = (page: Page) => page.evaluate('document.documentElement.scrollWidth > innerWidth')

test.each([
  [360, 'light'],
  [1280, 'dark'],
] as const)('home shows the balance, today and the newest orders, %i pixels wide and %s', async (width, scheme) => {
  const page = await openApp('', width, scheme)
  expect(await balanceOf(page)).toBe('GHS 950.00')
  await expectVisible(page.getByText('1 order at your cost, 1 more than last'))
  await expectVisible(page.getByText('1 order failed today'))
  await expectVisible(page.getByRole('list', { name: 'Newest orders' }).getByText('024 123 4567'))
  await expectNoAxeViolations(page)
})

test.each([360, 1280])('an order is found by its number and tells what happened, %i pixels wide', async (width) => {
  const page = await openApp('/orders', width)
  await page.getByRole('button', { name: 'Filters' }).click()
  await page.getByLabel('State', { exact: true }).selectOption('Refunded')
  await expectVisible(page.getByText('024 123 4901'))
  expect(await page.getByText('024 123 4567').count()).toBe(0)
  await page.getByRole('button', { name: 'Clear the filters' }).click()
  await page.getByRole('searchbox').fill('+233 24-123-4567')
  await page.locator('main').getByRole('button', { name: 'Find' }).click()
  await expectVisible(page.getByText('024 123 4567'))
  await expect.poll(() => page.getByText('024 123 4901').count()).toBe(0)
  expect(page.url()).toContain('search=')
  await expectNoAxeViolations(page)
  await page.getByText('024 123 4567').click()
  await expectVisible(page.getByText('What happened'))
  const told = await page.getByRole('listitem').locator('b').allInnerTexts()
  expect(told).toEqual(expect.arrayContaining(['Paid', 'Sent for delivery', 'Delivered']))
  // A wide window shows the order beside the list, a phone shows it on a screen of its own.
  expect(await page.getByRole('table', { name: 'Orders' }).count()).toBe(width === 360 ? 0 : 1)
  await expectNoAxeViolations(page)
})

test('Escape closes the order beside the list, and keeps the filters that were set meanwhile', async () => {
  const page = await openApp('/orders', 1280)
  await page.getByText('024 123 4567').click()
  await expectVisible(page.getByText('What happened'))
  await page.getByRole('searchbox').fill('0241234567')
  await page.locator('main').getByRole('button', { name: 'Find' }).click()
  await page.waitForURL(/\/orders\/.*search=/)
  await page.keyboard.press('Escape')
  await page.getByText('What happened').waitFor({ state: 'detached' })
  expect(page.url()).toMatch(/\/orders\?search=0241234567$/)
})

test('"Not delivered?" is one tap, and the operator’s answer stands on the order', async () => {
  const page = await openApp('/orders/first-airtime')
  await page.getByRole('button', { name: 'It was not delivered' }).click()
  await expectVisible(page.getByText('Your report waits for our answer'))
  const { id } = await shop.db
    .selectFrom('orders')
    .select('id')
    .where('reference', '=', 'first-airtime')
    .executeTakeFirstOrThrow()
  const answer = { answer: 'The network says that it came at nine.', actor: 'test' }
  expect(await answerOrderReport(shop.db, { id, reference: 'first-airtime' }, answer)).toBe(true)
  await page.reload()
  await expectVisible(page.getByText('The network says that it came at nine.').first())
  expect(await page.getByRole('button', { name: 'It was not delivered' }).count()).toBe(0)
  await page.goto('/app/notices')
  await expectVisible(page.getByText('Your report of order first-airtime was answered'))
  await expectNoAxeViolations(page)
})

test.each([360, 1280])('the statement of the month opens as a PDF and adds up, %i pixels wide', async (width) => {
  const page = await openApp('/wallet', width)
  await expectVisible(
    page
      .getByText('GHS 930.00')
      .or(page.getByText(/GHS 950\.00 → 930\.00/))
      .first(),
  )
  await expectNoAxeViolations(page)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'PDF', exact: true }).click(),
  ])
  const words = readPdf(await readFile(await download.path())).flat()
  expect(words.join(' ')).toContain('first-airtime')
  // Each line has three figures: the amount, the balance before and the balance after.
  const figures = words.filter((text) => /^-?\d+\.\d\d$/.test(text)).map((text) => Math.round(Number(text) * 100))
  expect(figures).toHaveLength(4 * 3)
  let held = 0
  for (let line = 0; line < figures.length; line += 3) {
    const [amount = 0, before, after] = figures.slice(line, line + 3)
    expect([before, after]).toEqual([held, held + amount])
    held += amount
  }
  expect(held).toBe(95_000)
})

test('commission is moved once, although the answer was lost and the page was loaded anew', async () => {
  shop.expectFaults(/commission-transfers/)
  const page = await openApp('/wallet?purse=commission')
  const before = await balanceOf(page, 'Commission')
  const move = async () => {
    await page.getByLabel('Amount in GHS').fill('0.10')
    await page.getByRole('button', { name: 'Move to main' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Move GHS 0.10' }).click()
  }
  await page.route('**/commission-transfers', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await move()
  await expectVisible(page.getByText('Makola cannot be reached'))
  await page.unroute('**/commission-transfers')
  await page.reload()
  await move()
  await expectVisible(page.getByText('Moved to the main wallet: GHS 0.10'))
  const moved = await shop.db.selectFrom('commission_moves').select(['amount', 'actor']).execute()
  expect(moved).toEqual([{ amount: 10, actor: emailOf('owner') }])
  const [held, left] = [before, await balanceOf(page, 'Commission')].map((text) => Number(text.replaceAll(/[^\d.]/g, '')))
  expect(Math.round(((held ?? 0) - (left ?? 0)) * 100)).toBe(10)
})

test('nothing is wider than a screen of 320 pixels, and who may only look sees no button that moves money', async () => {
  const page = await shop.openPage({ as: 'viewer', width: 320, path: '/app/wallet?purse=commission' })
  await expectVisible(page.getByLabel('Commission', { exact: true }))
  expect(await page.getByRole('button', { name: 'Move to main' }).count()).toBe(0)
  for (const path of ['', '/orders', '/orders/first-airtime', '/wallet', '/notices']) {
    await page.goto(`/app${path}`)
    await page.waitForLoadState('networkidle')
    expect([path, await isTooWide(page)]).toEqual([path, false])
  }
})

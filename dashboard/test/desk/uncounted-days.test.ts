import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import { writeSetting } from '../../../server/src/platform/settings/settings.ts'
import { products } from '../../../server/src/products/products.ts'
import { leaveUncounted } from '../../../server/src/reports/leave-uncounted.fixture.ts'
import { addDays } from '../../../server/src/reports/period.ts'
import { taxRates } from '../../../server/src/reports/reports.settings.ts'
import { rollUp } from '../../../server/src/reports/roll-up.ts'
import { readTodayThatLasts } from '../../../server/test/running/today-that-lasts.ts'
import { showDay } from '../../src/both/moments/format-moment.ts'
import { expectNoAxeViolations } from '../expect-no-axe-violations.ts'
import { expectVisible } from '../expect-visible.ts'
import { untilShown } from '../look-at-screen.ts'
import { setUpShopInBrowser } from '../set-up-shop-in-browser.ts'

/** A demo shop with a month of orders, so that there are days to count. */
const shop = setUpShopInBrowser({
  hasStaff: true,
  isDemo: true,
  prepare: ({ db }) => writeSetting(db, taxRates, [{ name: 'Income', percent: 25, on: 'margin' }], 'test'),
})

const today = await readTodayThatLasts()
const countedFrom = addDays(today, -4)
const month = `from=${addDays(today, -29)}&to=${today}`
const since = `since ${showDay(countedFrom)}`
const byThemselves = 'The figures come by themselves.'

/** Counts all days again, as the worker does, because the audit at the end of the file compares the daily sums. */
afterEach(async () => {
  await leaveUncounted(shop.db)
  while (!(await rollUp(shop.db, products)).isComplete);
})

const textOf = async (page: Page) => {
  await untilShown(page)
  return page.locator('main').innerText()
}

test('until anything is counted, the screens say so, once for each figure, and that it goes on by itself', async () => {
  await leaveUncounted(shop.db)
  const page = await shop.openPage({ as: 'staff finance', path: '/desk/today' })
  const figures = page.locator('dl', { hasText: 'Given back' })
  await expectVisible(figures)
  for (const name of ['Margin', 'Delivered in', 'Delivered', 'Given back']) {
    const card = figures.locator('div', { has: page.getByText(name, { exact: true }) })
    expect(await card.innerText()).toMatch(/\nNot counted yet/)
    expect(await card.innerText()).not.toMatch(/0\.00|%/)
  }
  await expectVisible(page.getByText(byThemselves).first())
  await expectNoAxeViolations(page)
  for (const path of [`/reports?${month}`, `/reports?${month}&by=network`, `/reports/tax?${month}`, '/reports/float']) {
    await page.goto(`${shop.app.url}/desk${path}`)
    const text = await textOf(page)
    expect([path, text]).toEqual([path, expect.stringContaining('Not counted yet')])
    expect([path, text]).toEqual([path, expect.stringContaining(byThemselves)])
    expect([path, text]).toEqual([path, expect.not.stringMatching(/0\.00/)])
    await expectNoAxeViolations(page)
  }
  await page.goto(`${shop.app.url}/desk/accounts/${shop.accountId}`)
  await expectVisible(page.locator('dl div', { hasText: 'Sales, 30 days' }).getByText('Not counted yet'))
  const home = await shop.openPage({ as: 'owner', path: '/app' })
  await expectVisible(home.locator('b', { hasText: 'Not counted yet' }))
  await expectVisible(home.getByText(byThemselves))
})

test('while older days are being counted, each sum says since when it is, and nothing is compared with a part', async () => {
  await leaveUncounted(shop.db, countedFrom)
  const page = await shop.openPage({ as: 'staff finance', path: `/desk/reports?${month}` })
  await untilShown(page)
  const figures = page.locator('dl')
  expect(await figures.innerText()).toMatch(new RegExp(`Sales ${since}\\nGHS [1-9]`))
  expect(await figures.innerText()).toContain('The time before: not counted yet')
  expect(await figures.innerText()).not.toMatch(/[+−]\d/)
  await expectVisible(page.getByText(`Counted ${since}. The days before are being counted now`))
  const table = page.getByRole('table', { name: 'The lines of the report' })
  expect(await table.locator('tfoot td').first().innerText()).toMatch(new RegExp(`Total\\s+${since}`))
  const rows = await table.locator('tbody tr').allInnerTexts()
  expect(rows.filter((row) => row.includes('Not counted yet'))).toHaveLength(25)
  for (const row of rows.filter((each) => each.includes('Not counted yet'))) expect(row).not.toMatch(/\d\.\d\d|%/)
  await expectNoAxeViolations(page)
  await page.goto(`${shop.app.url}/desk/today`)
  await expectVisible(page.getByText(/all of last \w+ not counted yet/).first())
  await expectVisible(page.getByText(`Counted ${since}.`))
  await page.goto(`${shop.app.url}/desk/reports/tax?${month}`)
  await expectVisible(page.getByLabel(`Taxes of the period ${since}`))
  const home = await shop.openPage({ as: 'owner', path: '/app' })
  await expectVisible(home.getByText(`Counted ${since}.`))
  expect(await home.locator('main').innerText()).not.toContain('than the 7 days before')
})

test('a tax on a margin of which costs are not known is shown as at most so much', async () => {
  // The newest day that sold something: shortly after midnight, today has sold nothing yet.
  await sql`
    update daily_figures set cost_unknown = 1
    where slice = 'goods' and day = (select max(day) from daily_figures where slice = 'goods' and orders > 0)
  `.execute(shop.db)
  const page = await shop.openPage({ as: 'staff finance', path: `/desk/reports/tax?${month}` })
  await expect.poll(() => page.getByLabel('Taxes of the period').innerText()).toMatch(/^≤ −?GHS/)
  const row = page.getByRole('row', { name: /Income/ })
  expect(await row.innerText()).toMatch(/≤ −?GHS .*\s≤ −?GHS/)
  await expectVisible(page.getByText('the margin and its tax are at most (≤) what is shown'))
})

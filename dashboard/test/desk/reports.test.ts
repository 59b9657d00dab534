import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { expectNoAxeViolations } from '../expect-no-axe-violations.ts'
import { expectVisible } from '../expect-visible.ts'
import { setUpShopInBrowser } from '../set-up-shop-in-browser.ts'

/** A demo shop with a month of orders, so that the reports have lines. */
const shop = setUpShopInBrowser({ hasStaff: true, isDemo: true })

test('finance reads the month: drawn, as a table of which the file has the same lines, by day and by network', async () => {
  const page = await shop.openPage({ as: 'staff finance', path: '/desk/reports' })
  await expectVisible(page.getByRole('img', { name: 'Sales and margin per day' }).locator('canvas'))
  await expectNoAxeViolations(page)
  await page.getByLabel('A line for each').selectOption({ label: 'Network' })
  const table = page.getByRole('table', { name: 'The lines of the report' })
  await expectVisible(table.getByText('MTN', { exact: true }))
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'CSV' }).click()])
  const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n').slice(1, -1)
  expect(await table.locator('tbody tr').count()).toBe(lines.length)
  // The address holds the chosen grouping, so that a saved or sent link opens the same report.
  await page.reload()
  await expectVisible(table.getByText('MTN', { exact: true }))
})

test('sales are drawn in a browser whose language is no valid one', async () => {
  const page = await shop.openPage({ as: 'staff finance', path: '/desk' })
  await page.addInitScript("Object.defineProperty(Navigator.prototype, 'language', { get: () => 'en-US@posix' })")
  await page.goto(`${shop.app.url}/desk/reports`)
  await expectVisible(page.getByRole('img', { name: 'Sales and margin per day' }).locator('canvas'))
})

test('each line has its margin in percent and the time before, the total stands below however they are sorted, and a count leads to its orders', async () => {
  const page = await shop.openPage({ as: 'staff finance', path: '/desk/reports?by=product' })
  const table = page.getByRole('table', { name: 'The lines of the report' })
  const cells = (title: string) => table.locator(`tbody td[data-title="${title}"]`).allInnerTexts()
  await expectVisible(table.getByRole('button', { name: 'Margin %' }))
  for (const text of await cells('Sales')) expect(text).toMatch(/^GHS [\d,.]+\s+(.+ · )?before GHS/)
  for (const text of await cells('Margin %')) expect(text).toMatch(/(%|–)\s+before/)
  const numbers = async () => (await cells('Orders')).map((text) => Number(text.replaceAll(',', '')))
  const total = table.locator('tfoot td')
  await table.getByRole('button', { name: 'Orders' }).click()
  const sorted = await numbers()
  expect(sorted).toEqual(sorted.toSorted((one, other) => other - one))
  await table.getByRole('button', { name: 'Orders' }).click()
  await expect.poll(numbers).toEqual(sorted.toReversed())
  expect([await total.nth(0).innerText(), await total.nth(1).innerText()]).toEqual([
    'Total',
    new Intl.NumberFormat('en-GH').format(sorted.reduce((sum, count) => sum + count, 0)),
  ])
  await expectNoAxeViolations(page)
  for (const by of ['product', 'network', 'package', 'role', 'week', 'account']) {
    await page.goto(`${shop.app.url}/desk/reports?by=${by}`)
    const links = table.locator('tbody td[data-title="Orders"] a')
    await links.first().waitFor()
    const counts = (await links.allInnerTexts()).map((text) => Number(text.replaceAll(',', '')))
    const fewest = counts.indexOf(Math.min(...counts))
    await links.nth(fewest).click()
    const orders = page.getByRole('table', { name: 'All orders' })
    await orders.waitFor()
    const more = page.getByRole('button', { name: 'Show older orders' })
    for (let pages = 1; pages * 50 < (counts[fewest] ?? 0); pages += 1) await more.click()
    await expect.poll(async () => [by, Number(await orders.getAttribute('aria-rowcount')) - 1]).toEqual([by, counts[fewest]])
  }
})

test('what is owed was less before the month began, and what suppliers hold is told with its days', async () => {
  const page = await shop.openPage({ as: 'staff auditor', path: '/desk/reports/owed' })
  const owed = page.getByLabel('Owed to resellers in money')
  await expectVisible(owed)
  const now = await owed.innerText()
  await page.getByLabel('At the end of').fill('2020-01-01')
  await expect.poll(() => owed.innerText()).toBe('GHS 0.00')
  expect(now).not.toBe('GHS 0.00')
  await page.getByRole('link', { name: 'Supplier floats' }).click()
  await expectVisible(page.getByRole('table').getByText('datamart', { exact: true }))
})

test('a report is sent by e-mail from now on, until it is stopped, on a phone', async () => {
  const page = await shop.openPage({ as: 'staff finance', path: '/desk/reports/mail', width: 360 })
  await page.getByLabel('After each').selectOption({ label: 'week' })
  await page.getByRole('button', { name: 'Send it to me' }).click()
  const row = page.getByRole('listitem').filter({ hasText: 'Sales by product, after each week' })
  await expectVisible(row)
  await expectNoAxeViolations(page)
  await row.getByRole('button', { name: 'Stop' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click()
  await expectVisible(page.getByText('No report is sent to you'))
})

test('a cost is entered, shows what it was and becomes, and stands in the history', async () => {
  const page = await shop.openPage({ as: 'staff owner', path: '/desk/reports/costs' })
  await page
    .getByRole('row', { name: /paystack/ })
    .first()
    .getByRole('button', { name: 'Enter' })
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('GHS for each top-up').fill('0.0255')
  await dialog.getByLabel('Percent of what is paid').fill('1.9505')
  await expectVisible(dialog.getByText('→ 1.9505 % and GHS 0.0255'))
  await expectNoAxeViolations(page)
  await dialog.getByLabel('Where it comes from').fill('Contract of May')
  await dialog.getByRole('button', { name: 'Enter' }).click()
  const history = page.getByRole('table', { name: 'What was entered, newest first' })
  await expectVisible(history.getByRole('row', { name: /1\.9505 % and GHS 0\.0255.*Contract of May/ }))
})

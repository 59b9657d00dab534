import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { expectNoAxeViolations } from '../expect-no-axe-violations.ts'
import { expectVisible } from '../expect-visible.ts'
import { setUpShopInBrowser } from '../set-up-shop-in-browser.ts'

/** The demo's month, so that there is something to report. */
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
  // The address keeps what was chosen, so that it can be kept and sent to somebody else.
  await page.reload()
  await expectVisible(table.getByText('MTN', { exact: true }))
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

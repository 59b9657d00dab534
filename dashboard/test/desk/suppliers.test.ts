import { sql } from 'kysely'
import type { Page, Route } from 'playwright-core'
import { expect, test } from 'vitest'
import { demoPackages } from '../../../server/src/demo/demo-catalogue.ts'
import { type PlacedOrder, placeTestOrders } from '../../../server/src/orders/intake/place-test-orders.fixture.ts'
import { inTransaction } from '../../../server/src/platform/database/in-transaction.ts'
import { writePackages } from '../../../server/src/products/data/catalogue/write-packages.ts'
import { expectNoAxeViolations } from '../expect-no-axe-violations.ts'
import { expectVisible } from '../expect-visible.ts'
import { passwordOfAll } from '../make-team.ts'
import { setUpShopInBrowser } from '../set-up-shop-in-browser.ts'

const shop = setUpShopInBrowser({
  hasStaff: true,
  isSimulated: true,
  prepare: ({ db }) => inTransaction(db, (tx) => writePackages(tx, demoPackages, { isBelowCostAllowed: false })),
})

/** Places orders that wait to be sent to datamart, since no worker runs yet. */
async function place(count: number): Promise<readonly PlacedOrder[]> {
  const { id: packageId } = await shop.db
    .selectFrom('packages')
    .select('id')
    .where('network', '=', 'MTN')
    .orderBy('volume_gb')
    .limit(1)
    .executeTakeFirstOrThrow()
  const details = { network: 'MTN', volumeGb: 1, size: '1GB', packageId }
  const recipients = Array.from({ length: count }, (_, index) => `02411${String(index).padStart(3, '0')}00`)
  return placeTestOrders(shop.db, shop.accountId, recipients, { supplier: 'datamart', pricePesewas: 370, details })
}

/** The suppliers that have delivered the orders: one for each order delivered by now. */
async function deliveredBy(orders: readonly PlacedOrder[]): Promise<string[]> {
  const ids = orders.map(({ orderId }) => orderId)
  const { rows } = await sql<{ supplier: string }>`
    select supplier from attempts join orders on orders.id = order_id
    where order_id = any(${ids}::uuid[]) and orders.status = 'completed' and outcome = 'delivered'`.execute(shop.db)
  return rows.map(({ supplier }) => supplier)
}

const dialog = (page: Page) => page.getByRole('dialog')

test('two reads of a float in one moment draw no line: the words say when there will be one', async () => {
  await sql`
    insert into supplier_float_reads (supplier, read_at, float_pesewas)
    select 'datakazina', date_trunc('milliseconds', now() - interval '1 hour') + make_interval(secs => n / 1e6), 5000
    from generate_series(1, 2) as n`.execute(shop.db)
  const page = await shop.openPage({ as: 'staff owner', path: '/desk/suppliers/datakazina?part=float' })
  await expectVisible(page.getByText('A line is drawn as soon as there are two reads'))
})

test('a movement of a float that was noted without an answer stops only the next try, which says so', async () => {
  shop.expectFaults(/float-movements/)
  const page = await shop.openPage({ as: 'staff owner', path: '/desk/suppliers/datakazina?part=float' })
  // The server notes the first movement, and its answer never reaches the page.
  const loseAnswer = async (route: Route) => {
    await route.fetch()
    await route.abort()
  }
  await page.route('**/float-movements', loseAnswer, { times: 1 })
  await page.getByRole('button', { name: 'Note a top-up' }).click()
  const note = async (amount: string) => {
    await dialog(page).getByLabel('Amount in GHS').fill(amount)
    await dialog(page).getByLabel('How').fill('a transfer')
    await dialog(page).getByRole('button', { name: 'Note a top-up' }).click()
  }
  await note('100')
  await expectVisible(dialog(page).getByRole('alert'))
  await note('200')
  await expectVisible(dialog(page).getByText(/^Another movement was noted/))
  await note('200')
  await dialog(page).waitFor({ state: 'detached' })
  const noted = await shop.db.selectFrom('supplier_float_movements').select('amount').orderBy('amount').execute()
  expect(noted.map(({ amount }) => amount)).toEqual([10_000, 20_000])
})

test('a supplier is paused: orders that wait go on with another one, as the desk said before; then it is resumed', async () => {
  const orders = await place(3)
  const page = await shop.openPage({ as: 'staff catalogue', path: '/desk/suppliers/datamart?part=routes' })
  await page.getByRole('button', { name: 'Pause all its routes' }).click()
  await expectVisible(dialog(page).getByText('3 orders go on with datakazina.'))
  await expectVisible(dialog(page).getByText('New MTN orders start with datakazina.'))
  await expectNoAxeViolations(page)
  await dialog(page).getByLabel('Reason').fill('their prices changed over night')
  await dialog(page).getByRole('button', { name: 'Pause' }).click()
  await expectVisible(page.getByText('By a person: their prices changed over night').first())
  await expectVisible(page.getByRole('complementary').getByText('All paused'))
  await shop.startWorker()
  await expect.poll(() => deliveredBy(orders)).toEqual(['datakazina', 'datakazina', 'datakazina'])
  await page.getByRole('button', { name: 'Resume all its routes' }).click()
  await expectVisible(dialog(page).getByText('New MTN orders start with datamart.'))
  await dialog(page).getByRole('button', { name: 'Resume' }).click()
  await expectVisible(page.getByRole('complementary').getByText('Works'))
  await shop.stopWorker()
})

test('the health of the supplier is drawn, with a table beside it', async () => {
  await shop.startWorker()
  const page = await shop.openPage({ as: 'staff auditor', path: '/desk/suppliers/datakazina' })
  await expectVisible(page.getByRole('img', { name: 'Delivered and failed attempts by hour, 24 hours' }))
  await expectVisible(page.getByRole('group', { name: 'Drawn over' }))
  await page.getByRole('button', { name: '7 days' }).click()
  await expectVisible(page.getByRole('img', { name: 'Answer by hour, 7 days: median and 19 of 20' }))
  await page.getByText('As a table').click()
  await expectVisible(page.getByRole('table', { name: 'Health' }).getByRole('columnheader', { name: 'Attempts' }))
  await expectNoAxeViolations(page)
  await page.getByRole('tab', { name: 'Settings' }).click()
  await expectVisible(page.getByText('Webhook secret').or(page.getByText('API key')).first())
  expect(await page.getByRole('button', { name: /Set credentials|Change settings|Test call/ }).count()).toBe(0)
  await shop.stopWorker()
})

test('the form of a supplier’s settings closes when they change meanwhile, and does not send the earlier ones again', async () => {
  const page = await shop.openPage({ as: 'staff owner', path: '/desk/suppliers/datamart?part=settings' })
  // The desk learns of a written row by its float, which was read anew.
  const setSlots = (slots: number) =>
    sql`update suppliers set slots = ${slots}, float_read_at = now() where name = 'datamart'`.execute(shop.db)
  await page.getByRole('button', { name: 'Change settings' }).click()
  await dialog(page).getByLabel('Reason').fill('the address is new')
  await setSlots(31)
  await expect.poll(() => dialog(page).count()).toBe(0)
  await setSlots(32)
})

test('credentials are written behind the password, and come back in no answer', async () => {
  const secret = 'sk-never-seen-again'
  const page = await shop.openPage({ as: 'staff owner', path: '/desk/suppliers/datamart?part=settings' })
  const answers: Promise<string>[] = []
  page.on('response', (response) => {
    if (response.url().includes('/desk/api/')) answers.push(response.text().catch(() => ''))
  })
  await sql`update person_sessions set confirmed_at = now() - interval '1 hour'`.execute(shop.db)
  await page.getByRole('button', { name: 'Set credentials' }).click()
  await dialog(page).getByLabel('API key').fill(secret)
  await dialog(page).getByLabel('Reason').fill('the account is new')
  await dialog(page).getByRole('button', { name: 'Set credentials' }).click()
  shop.expectFaults(/403/)
  await page.getByRole('textbox', { name: 'Password' }).fill(passwordOfAll)
  await page.keyboard.press('Enter')
  const panel = page.getByRole('complementary')
  await expectVisible(panel.getByRole('button', { name: /^just now$|^\d+ min ago$/ }))
  await expectVisible(panel.getByText('Set', { exact: true }))
  await panel.getByRole('button', { name: 'Test call' }).click()
  await expectVisible(panel.getByText(/The float is GHS/))
  await page.reload()
  await expectVisible(panel.getByText('Set', { exact: true }))
  const heard = (await Promise.all(answers)).join('\n')
  expect(heard).toContain('apiKey')
  expect(heard).not.toContain(secret)
  expect(await page.content()).not.toContain(secret)
})

test('a statement is imported, and a difference taken and closed with a word', async () => {
  const { rows } = await sql<{ outgoing_reference: string; expected_cost: number }>`
    select outgoing_reference, expected_cost from attempts where supplier = 'datakazina' order by created_at`.execute(shop.db)
  const [matched, dearer] = rows
  const line = (reference: string | undefined, pesewas: number) => `${reference},${(pesewas / 100).toFixed(2)},success`
  const file = [
    'Reference,Amount,Status',
    line(matched?.outgoing_reference, matched?.expected_cost ?? 0),
    line(dearer?.outgoing_reference, (dearer?.expected_cost ?? 0) + 25),
    line('a-line-of-another-shop', 950),
  ].join('\n')
  const page = await shop.openPage({ as: 'staff finance', path: '/desk/reconcile?view=statements' })
  await page.getByLabel('Supplier').selectOption('datakazina')
  await page.getByLabel('File').setInputFiles({ name: 'november.csv', mimeType: 'text/csv', buffer: Buffer.from(file) })
  await page.getByRole('button', { name: 'Import' }).click()
  const panel = page.getByRole('complementary')
  await expectVisible(panel.getByRole('heading', { name: 'november.csv' }))
  const figure = (name: string) => panel.locator('dl > div').filter({ hasText: name })
  await expectVisible(figure('Amount differs').getByText('1', { exact: true }))
  await expectVisible(figure('Theirs only').getByText('GHS 9.50'))
  await expectNoAxeViolations(page)

  // Sent again, it says so; the panel of another statement does not.
  const importFile = async (name: string, text: string) => {
    await page.getByLabel('File').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
    await page.getByRole('button', { name: 'Import' }).click()
  }
  await importFile('second.csv', 'Reference,Amount,Status\na-line-of-a-third-shop,9.60,success\n')
  await expectVisible(panel.getByRole('heading', { name: 'second.csv' }))
  await importFile('november.csv', file)
  const again = panel.getByText('This file was imported before')
  await expectVisible(again)
  // A file that was corrected has its old name, so the browser tells of it only if the field was emptied.
  const isAsked = page.waitForEvent('filechooser')
  await page.getByLabel('File').click()
  await isAsked
  expect(await page.getByLabel('File').inputValue()).toBe('')
  await page.getByRole('button', { name: 'second.csv' }).click()
  await expectVisible(panel.getByRole('heading', { name: 'second.csv' }))
  expect(await again.count()).toBe(0)
  await page.getByRole('button', { name: 'november.csv' }).click()
  await expectVisible(panel.getByRole('heading', { name: 'november.csv' }))

  await panel.getByRole('link', { name: 'Show its differences' }).click()
  await page.getByRole('button', { name: 'Theirs only: we know no such reference' }).click()
  await panel.getByRole('button', { name: 'Take it' }).click()
  await expectVisible(panel.getByText('finance@desk.test'))
  await panel.getByRole('button', { name: 'Explain and close' }).click()
  await dialog(page).getByLabel('Explanation').fill('an order of their test account; they take it off')
  await dialog(page).getByRole('button', { name: 'Explain and close' }).click()
  await expectVisible(panel.getByText('Closed by finance@desk.test'))
  await expectVisible(panel.getByText('an order of their test account; they take it off'))
  await expectNoAxeViolations(page)
  await page.getByLabel('State', { exact: true }).selectOption('closed')
  await expectVisible(page.getByRole('table', { name: 'Differences' }).getByRole('row').nth(1))
  expect(await page.getByRole('table', { name: 'Differences' }).getByRole('row').count()).toBe(2)
})

import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { until } from '../../../server/src/orders/dispatch/order-bench.fixture.ts'
import { reportOrder } from '../../../server/src/orders/order-reports/report-order.ts'
import { inTransaction } from '../../../server/src/platform/database/in-transaction.ts'
import { writeSetting } from '../../../server/src/platform/settings/settings.ts'
import { dataAutoRefund } from '../../../server/src/products/data/data.settings.ts'
import { requestSender } from '../../../server/src/products/sms/campaigns/decide-sender.ts'
import { expectNoAxeViolations } from '../expect-no-axe-violations.ts'
import { expectVisible } from '../expect-visible.ts'
import { type BrowserShop, setUpShopInBrowser } from '../set-up-shop-in-browser.ts'

/** The endings of the numbers are scripts of the simulator: 904 never answers, 901 is refused. */
const recipients = { delivered: '0241234567', silent: '0241234904', refused: '0241234901' }
const orders = { delivered: '', silent: '', refused: '' }

async function readOrders({ db, accountId }: BrowserShop) {
  const { rows } = await sql<{ id: string; recipient: string; status: string; outcome: string | null }>`
    select orders.id, recipient, status, attempts.outcome from orders left join attempts on attempts.order_id = orders.id
    where account_id = ${accountId}`.execute(db)
  return Object.fromEntries(rows.map((row) => [row.recipient, row]))
}

/** Places three orders. One is delivered, one is refused and not refunded by itself, and nobody answers the third. */
async function prepare(opened: BrowserShop): Promise<void> {
  const { db, app, accountId } = opened
  await writeSetting(db, dataAutoRefund, false, 'test')
  await app.untilSeen()
  const page = await opened.openPage({ as: 'owner', path: null })
  for (const [name, recipient] of Object.entries(recipients)) {
    const data = { orders: [{ network: 'MTN', volume_gb: 1, recipient, reference: `walk-${name}`, price: 5.2 }] }
    const bought = await page.request.post('/app/api/data/purchase', { data, headers: { origin: app.url } })
    expect([bought.status(), await bought.text()]).toEqual([200, expect.stringContaining(recipient)])
  }
  await opened.startWorker()
  await until(async () => {
    const {
      [recipients.delivered]: arrived,
      [recipients.silent]: silent,
      [recipients.refused]: refused,
    } = await readOrders(opened)
    return arrived?.status === 'completed' && refused?.status === 'failed' && silent?.outcome === 'unknown'
  })
  await opened.stopWorker()
  const placed = await readOrders(opened)
  for (const name of ['delivered', 'silent', 'refused'] as const) orders[name] = placed[recipients[name]]?.id ?? ''
  // Holds the third order, as the worker would after four hours without an answer.
  await sql`update open_orders set hold_reason = 'no_definitive_answer', lease_until = now()`.execute(app.database.ownerDb)
  await reportOrder(
    db,
    { id: orders.delivered, accountId, status: 'completed' },
    { reason: 'nothing came', actor: 'owner@adom.test' },
  )
  await inTransaction(db, (tx) => requestSender(tx, { accountId, sender: 'AdomShop', actor: 'owner@adom.test' }))
}

const shop = setUpShopInBrowser({ isSimulated: true, hasStaff: true, prepare })

const balance = async () =>
  (
    await shop.db
      .selectFrom('wallets')
      .select('balance')
      .where('account_id', '=', shop.accountId)
      .where('purse', '=', 'main')
      .executeTakeFirstOrThrow()
  ).balance
const priceOf1Gb = 520
const panelOf = (page: Page) => page.getByRole('complementary', { name: 'The chosen order' })
const dialogOf = (page: Page) => page.getByRole('dialog')

test('a stuck order is settled by two people; the one who proposed it is refused as the second', async () => {
  const before = await balance()
  const ama = await shop.openPage({ as: 'staff owner', path: '/desk/orders' })
  const stuck = ama.getByRole('table', { name: 'Stuck orders' })
  await expectVisible(stuck.getByText('No word for'))
  await stuck.getByRole('row').nth(1).getByRole('checkbox').check()
  await ama.getByRole('button', { name: 'Ask again about 1 order' }).click()
  await expectVisible(ama.getByText('The worker takes up 1 now.'))
  await stuck.getByRole('button', { name: '024 123 4904' }).click()
  await expectVisible(panelOf(ama).getByText(/Paid, balance/))
  await panelOf(ama).getByText('In its own words').first().click()
  await expectNoAxeViolations(ama)
  await panelOf(ama).getByRole('button', { name: 'It failed: refund GHS 5.20' }).click()
  await dialogOf(ama).getByLabel('What shows it').fill('ticket 4711: never arrived')
  await dialogOf(ama).getByRole('button', { name: 'Propose' }).click()
  await expectVisible(panelOf(ama).getByText('You proposed it.'))
  expect(await panelOf(ama).getByRole('button', { name: 'Confirm' }).count()).toBe(0)
  const { id } = await shop.db.selectFrom('approvals').select('id').where('key', '=', orders.silent).executeTakeFirstOrThrow()
  shop.expectFaults(/409|Failed to load/)
  const refused = await ama.request.post(`/desk/api/orders/${orders.silent}/settle/confirm`, {
    data: { approval_id: id, evidence: 'I am sure' },
    headers: { origin: shop.app.url },
  })
  expect([refused.status(), (await refused.json()).error.message]).toEqual([
    409,
    'owner@desk.test proposed it: a second person confirms.',
  ])
  const auditor = await shop.openPage({ as: 'staff auditor', path: `/desk/orders/${orders.silent}` })
  await expectVisible(panelOf(auditor).getByText('owner@desk.test proposed'))
  expect(
    await panelOf(auditor)
      .getByRole('button', { name: /Confirm|Refuse|Ask/ })
      .count(),
  ).toBe(0)
  const kofi = await shop.openPage({ as: 'staff support', path: `/desk/orders/${orders.silent}`, width: 360 })
  await panelOf(kofi).getByRole('button', { name: 'Confirm' }).click()
  await dialogOf(kofi).getByLabel('What shows it').fill('read the ticket')
  await expectNoAxeViolations(kofi)
  await dialogOf(kofi).getByRole('button', { name: 'Confirm' }).click()
  await expectVisible(panelOf(kofi).getByText(/Refunded, balance/))
  // Ama proposed it. Her screen shows the end without a click.
  await expectVisible(panelOf(ama).getByText(/Refunded, balance/))
  expect(await balance()).toBe(before + priceOf1Gb)
})

test('a failed order is refunded once, by whoever may move money, however often it is clicked', async () => {
  const before = await balance()
  const support = await shop.openPage({ as: 'staff support', path: `/desk/orders/${orders.refused}` })
  await expectVisible(panelOf(support).getByText('Not refunded yet'))
  expect(
    await panelOf(support)
      .getByRole('button', { name: /^Refund/ })
      .count(),
  ).toBe(0)
  const finance = await shop.openPage({ as: 'staff finance', path: `/desk/orders/${orders.refused}` })
  const second = await shop.openPage({ as: 'staff owner', path: `/desk/orders/${orders.refused}` })
  for (const page of [finance, second]) await panelOf(page).getByRole('button', { name: 'Refund GHS 5.20' }).click()
  await expectVisible(dialogOf(second))
  // The second one has not yet seen what the first one does, however slow the machine is.
  await second.route('**/desk/api/**', (route) => (route.request().method() === 'GET' ? route.abort() : route.continue()))
  await dialogOf(finance).getByRole('button', { name: 'Refund GHS 5.20' }).dblclick()
  await expectVisible(panelOf(finance).getByText(/Refunded, balance/))
  shop.expectFaults(/409|Failed to load/)
  await dialogOf(second).getByRole('button', { name: 'Refund GHS 5.20' }).click()
  await expectVisible(dialogOf(second).getByText('is refunded already'))
  await finance.reload()
  await expectVisible(panelOf(finance).getByText(/Refunded, balance/))
  expect(
    await panelOf(finance)
      .getByRole('button', { name: /^Refund/ })
      .count(),
  ).toBe(0)
  expect(await balance()).toBe(before + priceOf1Gb)
})

test('a report of an order is answered with what was found, and two people make the order good', async () => {
  const before = await balance()
  const page = await shop.openPage({ as: 'staff support', path: '/desk/orders' })
  await page.getByRole('link', { name: /Not delivered/ }).click()
  await page.getByRole('table', { name: 'Not delivered' }).getByRole('button', { name: recipients.delivered }).click()
  await expectVisible(panelOf(page).getByText('nothing came'))
  await panelOf(page).getByRole('button', { name: 'Answer' }).click()
  await dialogOf(page).getByLabel('What became of it').selectOption('It was not delivered')
  await dialogOf(page).getByLabel('The answer, for the reseller to read').fill('The network says no. We make it good.')
  await dialogOf(page).getByRole('button', { name: 'Answer' }).click()
  await expectVisible(panelOf(page).getByText('Answered by support@desk.test'))
  await page.getByRole('link', { name: 'Answered' }).click()
  await expectVisible(page.getByRole('table', { name: 'Not delivered' }).getByText('We make it good.'))
  await expectNoAxeViolations(page)
  const finance = await shop.openPage({ as: 'staff finance', path: `/desk/orders/${orders.delivered}` })
  await panelOf(finance).getByRole('button', { name: 'Adjust' }).click()
  await dialogOf(finance).getByLabel('Amount in GHS').fill('2.50')
  await dialogOf(finance).getByLabel('What shows it').fill('the network says no')
  await expectNoAxeViolations(finance)
  await dialogOf(finance).getByRole('button', { name: 'Propose' }).click()
  await expectVisible(panelOf(finance).getByText('You proposed it.'))
  const owner = await shop.openPage({ as: 'staff owner', path: `/desk/orders/${orders.delivered}` })
  await expectVisible(panelOf(owner).getByText('Give the reseller GHS 2.50'))
  await panelOf(owner).getByRole('button', { name: 'Confirm' }).click()
  await dialogOf(owner).getByLabel('What shows it').fill('read the answer')
  await dialogOf(owner).getByRole('button', { name: 'Confirm' }).click()
  await expectVisible(panelOf(owner).getByText('confirmed by owner@desk.test'))
  expect(await balance()).toBe(before + 250)
})

test('the filters stand in the address, and the file holds what they show', async () => {
  const page = await shop.openPage({ as: 'staff auditor', path: '/desk/orders' })
  await page.getByRole('button', { name: 'Filters' }).click()
  await page.getByLabel('State', { exact: true }).selectOption('Completed')
  await page.getByLabel('Recipient', { exact: true }).fill('+233 24-123-4567')
  await page.getByRole('button', { name: 'Find', exact: true }).click()
  const table = page.getByRole('table', { name: 'All orders' })
  await expect.poll(() => table.getByRole('row').count()).toBe(2)
  await expectVisible(table.getByText('024 123 4567'))
  expect(new URL(page.url()).search).toContain('status=completed')
  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download as CSV' }).click()
  const lines = (await readFile(await (await downloading).path(), 'utf8')).trimEnd().split('\r\n')
  expect(lines.slice(1).map((line) => line.split(',')[1])).toEqual([orders.delivered])
  await page.reload()
  await expect.poll(() => table.getByRole('row').count()).toBe(2)
  await expectNoAxeViolations(page)
})

test.each([360, 1280])('a sender name is approved, and a text is weighed, %i pixels wide', async (width) => {
  const page = await shop.openPage({ as: 'staff owner', path: '/desk/senders', width })
  if (width === 360) {
    await page.getByRole('button', { name: 'Approve' }).click()
    await dialogOf(page).getByRole('button', { name: 'Approve' }).click()
    await expectVisible(page.getByText('No sender name waits'))
  }
  await page.getByRole('link', { name: 'Decided' }).click()
  await expectVisible(page.getByText('AdomShop'))
  await expectNoAxeViolations(page)
  await page.goto(`${shop.app.url}/desk/sms`)
  await expectVisible(page.getByText('No campaign yet'))
  await page
    .getByLabel('A text', { exact: true })
    .fill('You have received GHS 50.00. Current balance GHS 120.00. Transaction ID 123456.')
  await page.getByRole('button', { name: 'Check', exact: true }).click()
  await expectVisible(page.getByText('It is blocked by the rule'))
  await expectNoAxeViolations(page)
  // The result is that of the text that was checked, so it goes when the text is changed.
  await page.getByLabel('A text', { exact: true }).fill('See you at six.')
  expect(await page.getByText('It is blocked by the rule').count()).toBe(0)
})

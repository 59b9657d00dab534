import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectNoAxeViolations } from '../expect-no-axe-violations.ts'
import { expectVisible } from '../expect-visible.ts'
import { setUpShopInBrowser } from '../set-up-shop-in-browser.ts'

const shop = setUpShopInBrowser({ hasStaff: true })

const panelOf = (page: Page) => page.getByRole('complementary', { name: 'The chosen account' })
const dialogOf = (page: Page) => page.getByRole('dialog')
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' })

/** Gives the reason in an open dialog and does what it asks. */
async function giveReason(page: Page, reason: string, action: string): Promise<void> {
  const dialog = dialogOf(page)
  await dialog.getByLabel('Reason').fill(reason)
  await dialog.getByRole('button', { name: action, exact: true }).click()
  await dialog.waitFor({ state: 'hidden' })
}

/** Sends a request from the page, as a script in it could. */
async function send(page: Page, method: string, path: string, body: object): Promise<{ status: number; reason: string | null }> {
  return page.evaluate(
    `fetch(${JSON.stringify(path)}, {
      method: ${JSON.stringify(method)},
      headers: { 'content-type': 'application/json' },
      body: ${JSON.stringify(JSON.stringify(body))},
    }).then((answer) => ({ status: answer.status, reason: answer.headers.get('x-error-reason') }))`,
  )
}

test('an account is searched, opened with the keyboard, and given another role after a look at its prices', async () => {
  const page = await shop.openPage({ as: 'staff support', path: '/desk/accounts' })
  await page.getByLabel('Search').fill('venture')
  const found = page.getByRole('table', { name: 'Accounts' }).getByRole('button')
  await expectVisible(found)
  await page.waitForURL(/search=venture/)
  await found.press('Enter')
  const panel = panelOf(page)
  await expectVisible(panel.getByRole('heading', { name: 'Adom Ventures' }))
  await expectVisible(panel.getByText('GHS 1,000.00'))
  await expectNoAxeViolations(page)
  await button(page, 'Change role').click()
  await page.getByLabel('New role').selectOption('dealer')
  const prices = dialogOf(page).getByRole('table')
  await expectVisible(prices.getByRole('row', { name: /AFA registration/ }))
  expect(
    await prices
      .getByRole('row', { name: /AFA registration/ })
      .getByRole('cell')
      .allInnerTexts(),
  ).toEqual(['AFA registration', 'GHS 12.00', 'GHS 10.00'])
  await expectNoAxeViolations(page)
  // Escape closes the dialog alone.
  await page.keyboard.press('Escape')
  await dialogOf(page).waitFor({ state: 'hidden' })
  await button(page, 'Change role').click()
  await page.getByLabel('New role').selectOption('dealer')
  await giveReason(page, 'sold 300 bundles in a week', 'Change')
  await expectVisible(panel.getByText('Dealer', { exact: true }))
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'hidden' })
  expect(new URL(page.url()).search).toBe('?search=venture')
})

test('a wrong credit is taken back by two people; the one who proposed it cannot confirm it', async () => {
  const path = `/desk/accounts/${shop.accountId}/all`
  const finance = await shop.openPage({ as: 'staff finance', path })
  await finance.getByLabel('Amount in GHS').fill('400')
  await finance.getByLabel('Number of the receipt or transfer').fill('2041')
  await finance.getByLabel('What for').fill('cash, slip 17')
  await button(finance, 'Credit').click()
  await expectVisible(dialogOf(finance).getByText('GHS 1,400.00'))
  await button(finance, 'Credit GHS 400.00').click()
  await expectVisible(finance.getByText('Credited. It holds GHS 1,400.00 now.'))
  const credit = finance.getByRole('table', { name: 'Credits by hand' }).getByRole('row', { name: /slip 17/ })
  await credit.getByRole('button', { name: 'Take back' }).click()
  await expectVisible(dialogOf(finance).getByText('GHS 1,400.00 → GHS 1,000.00'))
  await giveReason(finance, 'the slip was of another shop', 'Propose it')
  await expectVisible(finance.getByText('You proposed it, so somebody else confirms it.'))
  expect(await button(finance, 'Confirm').count()).toBe(0)
  await expectNoAxeViolations(finance)
  const approval = await shop.db.selectFrom('approvals').select('id').where('state', '=', 'pending').executeTakeFirstOrThrow()
  shop.expectFaults(/409/)
  const own = await send(finance, 'POST', `/desk/api/approvals/${approval.id}/confirm`, {})
  expect(own).toMatchObject({ status: 409 })

  const second = await shop.openPage({ as: 'staff second owner', path })
  await button(second, 'Confirm').click()
  await expectVisible(dialogOf(second).getByText('GHS 1,400.00 → GHS 1,000.00'))
  await dialogOf(second).getByRole('button', { name: 'Confirm', exact: true }).click()
  await expectVisible(second.getByRole('row', { name: /Correction/ }))
  // The screen of the person who proposed it shows the end without a click.
  await finance.getByText('You proposed it').waitFor({ state: 'hidden' })
  await expectVisible(credit.getByText('GHS 0.00'))
})

test('one of the staff sees the app as the reseller, changes nothing there, and goes back to the desk', async () => {
  const page = await shop.openPage({ as: 'staff support', path: `/desk/accounts/${shop.accountId}` })
  await button(page, 'See it as the reseller').click()
  await dialogOf(page).getByLabel('Reason').fill('ticket 77')
  await button(page, 'Open the app').click()
  const banner = page.getByRole('complementary', { name: 'You see the app as a reseller' })
  await expectVisible(banner.getByText('You see Adom Ventures as its reseller sees it'))
  await expectVisible(banner.getByText(/\d+ minutes left/))
  await expectVisible(page.getByLabel('Balance'))
  for (const name of ['Buy', 'Profile']) {
    expect([name, await page.getByRole('link', { name, exact: true }).count()]).toEqual([name, 0])
  }
  await expectNoAxeViolations(page)
  shop.expectFaults(/403/)
  const order = { reference: 'web-a-view', network: 'MTN', size_gb: 1, recipient: '0241234567' }
  expect(await send(page, 'POST', '/app/api/data/purchase', order)).toEqual({ status: 403, reason: 'view_only' })
  await page.setViewportSize({ width: 360, height: 740 })
  await expectVisible(banner)
  await button(page, 'End and go back to the desk').click()
  await expectVisible(panelOf(page).getByRole('heading', { name: 'Adom Ventures' }))
  const actions = await shop.db
    .selectFrom('operator_log')
    .select('action')
    .where('subject', '=', shop.accountId)
    .orderBy('id', 'desc')
    .limit(2)
    .execute()
  expect(actions.map(({ action }) => action)).toEqual(['account view-end', 'account view'])
})

test('an account is suspended and back again, on a phone; an auditor sees it and has no button', async () => {
  const page = await shop.openPage({ as: 'staff owner', width: 360, path: `/desk/accounts/${shop.accountId}` })
  await button(page, 'Suspend').click()
  await giveReason(page, 'the phone was stolen', 'Suspend')
  await expectVisible(panelOf(page).getByText('Suspended'))
  // The button that was pressed is gone. The focus is on the one in its place, for those who use the keyboard.
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Reactivate')
  const auditor = await shop.openPage({ as: 'staff auditor', path: `/desk/accounts/${shop.accountId}/all` })
  await expectVisible(auditor.getByText('Suspended'))
  await expectVisible(auditor.getByRole('heading', { name: 'Entries' }))
  for (const name of ['Reactivate', 'Credit', 'Take back', 'Invite somebody', 'See it as the reseller']) {
    expect([name, await button(auditor, name).count()]).toEqual([name, 0])
  }
  const owner = await shop.openPage({ as: 'owner' })
  await expectVisible(owner.getByText('This account is suspended.'))
  await button(page, 'Reactivate').click()
  await giveReason(page, 'the phone is back', 'Reactivate')
  await expectVisible(auditor.getByText('Active', { exact: true }).first())
})

test('a question about suspending closes when somebody else suspends meanwhile, and never becomes one about reactivating', async () => {
  const setStatus = (status: 'active' | 'suspended') =>
    shop.db.updateTable('accounts').set({ status }).where('id', '=', shop.accountId).execute()
  const page = await shop.openPage({ as: 'staff owner', path: `/desk/accounts/${shop.accountId}` })
  await button(page, 'Suspend').click()
  await dialogOf(page).getByLabel('Reason').fill('the phone was stolen')
  await setStatus('suspended')
  await dialogOf(page).waitFor({ state: 'detached' })
  await expectVisible(button(page, 'Reactivate'))
  await setStatus('active')
})

test('what is typed for one account is not there for another', async () => {
  const other = '00000000-0000-7000-8000-000000000077'
  await sql`insert into accounts (id, name, email, role) values (${other}, 'Kofi', 'kofi@other.test', 'agent')`.execute(shop.db)
  await sql`insert into wallets (account_id, purse)
    select ${other}, purse from unnest(array['main', 'commission', 'sms_credits']) as purse`.execute(shop.db)
  const page = await shop.openPage({ as: 'staff finance', path: `/desk/accounts/${shop.accountId}/all` })
  const amount = page.getByLabel('Amount in GHS')
  await expectVisible(amount)
  await page.evaluate(`history.pushState(null, '', '/desk/accounts/${other}/all')`)
  await expectVisible(page.getByRole('heading', { name: 'Kofi' }))
  await amount.fill('400')
  await page.goBack()
  await page.getByRole('heading', { name: 'Kofi' }).waitFor({ state: 'detached' })
  expect(await amount.inputValue()).toBe('')
})

test('the webhooks of an account are seen with their log, and paused; an auditor only looks', async () => {
  const { accountId, db } = shop
  await sql`insert into webhook_endpoints (id, account_id, url, events, secret)
    values (${accountId}, ${accountId}, 'https://shop.example.com/hooks', '{order.completed,order.refunded}', 'sealed')`.execute(
    db,
  )
  await sql`
    with event as (
      insert into webhook_events (account_id, type, data, happened_at)
      values (${accountId}, 'order.completed', '{"reference":"order-7"}', clock_timestamp()) returning event_no
    )
    insert into webhook_deliveries (endpoint_id, event_no, subject, tries, tried_at, milliseconds, status, answer, failure)
    select ${accountId}, event_no, 'an order', 1, clock_timestamp(), 41, 500, 'Out of memory', 'It answered 500.' from event`.execute(
    db,
  )
  const auditor = await shop.openPage({ as: 'staff auditor', width: 360, path: `/desk/accounts/${accountId}/webhooks` })
  await button(auditor, 'Show the log').click()
  await button(auditor, 'Request and answer').click()
  await expectVisible(auditor.getByText('"reference":"order-7"'))
  await expectVisible(auditor.getByText('Out of memory'))
  for (const name of ['Pause', 'Send a test']) expect([name, await button(auditor, name).count()]).toEqual([name, 0])
  await expectNoAxeViolations(auditor)

  const page = await shop.openPage({ as: 'staff owner', path: `/desk/accounts/${accountId}/all` })
  await page.getByRole('link', { name: 'Webhooks' }).click()
  await expectVisible(page.getByText('order.completed, order.refunded'))
  await button(page, 'Pause').click()
  await expectVisible(page.getByText('Paused: paused by us'))
  await button(page, 'Resume').click()
  await expectVisible(page.getByText('Active', { exact: true }))
  await button(page, 'Show the log').click()
  await expectVisible(page.getByText(/1 try · It answered 500\./))
  await expectNoAxeViolations(page)
})

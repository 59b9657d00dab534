import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { expectVisible } from '../expect-visible.ts'
import { untilShown } from '../look-at-screen.ts'
import { setUpShopInBrowser } from '../set-up-shop-in-browser.ts'

const accountsCount = 1_050

const shop = setUpShopInBrowser({
  hasStaff: true,
  prepare: async ({ db }) => {
    const id = sql`('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid`
    const all = sql`generate_series(1, ${sql.lit(accountsCount)}) as n`
    await sql`insert into accounts (id, name, email, role)
      select ${id}, 'Kwabɛna Shop ' || n, 'kwabena' || n || '@many.test', 'agent' from ${all}`.execute(db)
    await sql`insert into wallets (account_id, purse) select ${id}, purse
      from ${all} cross join unnest(array['main', 'commission', 'sms_credits']) as purse`.execute(db)
  },
})

test('a thousand rows are drawn only near what is seen, each can be reached, and a row opens wherever it is pressed', async () => {
  const page = await shop.openPage({ as: 'staff owner', path: '/desk/accounts' })
  const table = page.getByRole('table', { name: 'Accounts' })
  const more = page.getByRole('button', { name: 'Show older accounts' })
  await table.waitFor()
  for (let pages = 1; pages * 50 < accountsCount; pages += 1) {
    await more.click()
    await expect.poll(async () => Number(await table.getAttribute('aria-rowcount'))).toBeGreaterThan(pages * 50 + 1)
  }
  await expect.poll(async () => Number(await table.getAttribute('aria-rowcount'))).toBeGreaterThan(accountsCount)
  await expect.poll(() => page.evaluate<number>('document.querySelectorAll("main table *").length')).toBeLessThan(5_000)
  // From the top down by the wheel, the row in the middle is drawn when it comes near.
  const middle = table.getByRole('row', { name: /Kwabɛna Shop 525 / })
  await page.evaluate('scrollTo(0, 0)')
  await expect.poll(() => middle.count()).toBe(0)
  await expect
    .poll(async () => {
      await page.mouse.wheel(0, 1_500)
      return middle.count()
    })
    .toBe(1)
  await middle.getByRole('cell', { name: 'Agent' }).click()
  await page.waitForURL(/accounts\/00000000-0000-7000-8000-000000000525/)
  await expectVisible(
    page.getByRole('complementary', { name: 'The chosen account' }).getByRole('heading', { name: 'Kwabɛna Shop 525' }),
  )
  await page.keyboard.press('Escape')
  // The key End moves the focus from the first row to the last.
  await table.getByRole('button').first().focus()
  await page.keyboard.press('End')
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toContain('kwabena2@many.test')
})

test('a change that is being read when somebody asks for more is read again after the next page', async () => {
  const page = await shop.openPage({ as: 'staff owner', path: '/desk/accounts' })
  const table = page.getByRole('table', { name: 'Accounts' })
  const first = table.getByRole('row', { name: /kwabena1050@many\.test/ })
  await expectVisible(first)
  await untilShown(page)
  const gate = Promise.withResolvers<undefined>()
  const isHeld = Promise.withResolvers<undefined>()
  await page.route(
    (url) => url.pathname === '/desk/api/accounts' && !url.searchParams.has('after'),
    async (route) => {
      isHeld.resolve(undefined)
      await gate.promise
      await route.continue().catch(() => undefined)
    },
  )
  await sql`update accounts set status = 'suspended' where email = 'kwabena1050@many.test'`.execute(shop.db)
  await isHeld.promise
  await page.getByRole('button', { name: 'Show older accounts' }).click()
  await expect.poll(async () => Number(await table.getAttribute('aria-rowcount'))).toBe(101)
  gate.resolve(undefined)
  await expectVisible(first.getByText('Suspended'))
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

test('a list that could not be read again is read again by "Try again", also where there is a next page', async () => {
  shop.expectFaults(/500/)
  const page = await shop.openPage({ as: 'staff owner', path: '/desk/accounts' })
  const row = page.getByRole('table', { name: 'Accounts' }).getByRole('row', { name: /kwabena1049@many\.test/ })
  await expectVisible(row)
  await untilShown(page)
  await page.route(
    (url) => url.pathname === '/desk/api/accounts',
    (route) => route.fulfill({ status: 500, json: { error: { message: 'broken on purpose' } } }),
  )
  await sql`update accounts set status = 'suspended' where email = 'kwabena1049@many.test'`.execute(shop.db)
  const again = page.getByRole('button', { name: 'Try again' })
  await expectVisible(again)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await again.click()
  await expectVisible(row.getByText('Suspended'))
})

test('a row that leaves the list keeps the values it had last', async () => {
  const page = await shop.openPage({ as: 'staff owner', path: '/desk/accounts?status=active' })
  const table = page.getByRole('table', { name: 'Accounts' })
  const row = table.getByRole('row', { name: /kwabena1048@many\.test/ })
  await expectVisible(row)
  await untilShown(page)
  await sql`update accounts set role = 'dealer' where email = 'kwabena1048@many.test'`.execute(shop.db)
  await expectVisible(row.getByText('Dealer'))
  // The other account shows when the list was read again, without the account that is suspended.
  await sql`update accounts set role = 'dealer', status = case email when 'kwabena1048@many.test' then 'suspended' else status end
    where email in ('kwabena1048@many.test', 'kwabena1047@many.test')`.execute(shop.db)
  await expectVisible(table.getByRole('row', { name: /kwabena1047@many\.test/ }).getByText('Dealer'))
  expect(await row.innerText()).toContain('Dealer')
})

test('a name is found by plain letters, and what the search field says belongs to it alone', async () => {
  const page = await shop.openPage({ as: 'staff owner', path: '/desk/accounts' })
  // Types so slowly that the search begins with each letter, while the next ones are still to come.
  await page.getByLabel('Search').pressSequentially('kwabena shop 77', { delay: 200 })
  await page.waitForURL(/search=kwabena\+shop\+77/)
  expect(await page.getByLabel('Search').inputValue()).toBe('kwabena shop 77')
  await untilShown(page)
  const rows = page.getByRole('table', { name: 'Accounts' }).locator('tbody tr')
  await expect
    .poll(() => rows.allInnerTexts().then((texts) => texts.every((text) => text.includes('Kwabɛna Shop 77'))))
    .toBe(true)
  expect(await page.getByRole('button', { name: /^Show \d+ new/ }).count()).toBe(0)
})

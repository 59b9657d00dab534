import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { raiseAlarms } from '../../../server/src/notices/raise-alarm.ts'
import { expectNoAxeViolations } from '../expect-no-axe-violations.ts'
import { expectVisible } from '../expect-visible.ts'
import { setUpShopInBrowser } from '../set-up-shop-in-browser.ts'

const alarm = (subject: string) => ({ name: 'contradiction', subject, message: `They say otherwise of ${subject}.` })

const shop = setUpShopInBrowser({
  hasStaff: true,
  prepare: ({ db }) => raiseAlarms(db, [alarm('order-a'), alarm('order-b')]),
})

test('on a Monday morning what waits is done, one thing after the other, until nothing needs anybody', async () => {
  const page = await shop.openPage({ as: 'staff owner' })
  const alarms = page.getByRole('region', { name: 'Alarms' })
  await expectVisible(alarms.getByText('They say otherwise of order-a.'))
  await expectVisible(page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: /^Alarms\s*2$/ }))
  await expectNoAxeViolations(page)
  for (const subject of ['order-a', 'order-b']) {
    await page
      .getByRole('link', { name: /They say otherwise/ })
      .first()
      .click()
    await page
      .getByRole('row', { name: new RegExp(subject) })
      .getByRole('button', { name: 'A supplier contradicts an ended order' })
      .click()
    await page.getByRole('button', { name: 'Clear', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('What was done about it').fill('asked the supplier')
    await dialog.getByRole('button', { name: 'Clear', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('link', { name: /^Needs you/ }).click()
  }
  await expectVisible(page.getByText('Nothing needs you'))
  await expectNoAxeViolations(page)
})

test('what another person does shows by itself, and the row that somebody reads stays where it is', async () => {
  await raiseAlarms(shop.db, [alarm('order-c'), alarm('order-d')])
  const reader = await shop.openPage({ as: 'staff support' })
  const lines = reader.getByRole('region', { name: 'Alarms' }).getByRole('listitem')
  await expect.poll(() => lines.count()).toBe(2)
  const before = await lines.nth(1).boundingBox()
  const other = await shop.openPage({ as: 'staff owner', path: null })
  const { url } = shop.app
  const body = { name: 'contradiction', subject: 'order-c', reason: 'done' }
  const answer = await other.request.post(`${url}/desk/api/alarms/clear`, { data: body, headers: { origin: url } })
  expect(answer.status()).toBe(200)
  await expectVisible(lines.nth(0).getByText('Done'))
  expect(await lines.nth(1).boundingBox()).toEqual(before)
  await raiseAlarms(shop.db, [alarm('order-e')])
  await expectVisible(reader.getByText('They say otherwise of order-e.'))
  expect(await lines.nth(1).boundingBox()).toEqual(before)
})

test('Ctrl-K finds an order and an account, opens a screen and begins a command, by keyboard alone', async () => {
  const reference = 'monday-order-1'
  const { accountId, key } = await shop.app.makeReseller({ balancePesewas: 10_000 })
  const body = { network: 'MTN', volume_gb: 1, recipient: '0241234567', reference }
  expect((await shop.app.call('POST', '/data/purchase', { key, body })).status).toBe(200)
  await sql`update accounts set name = 'Kwabena Wholesale' where id = ${accountId}`.execute(shop.db)
  const page = await shop.openPage({ as: 'staff owner' })
  await expectVisible(page.getByRole('heading', { name: 'Needs you' }))
  const field = page.getByRole('combobox', { name: 'What do you look for?' })
  await page.keyboard.press('Control+k')
  await field.pressSequentially(reference)
  await expectVisible(page.getByRole('option', { name: new RegExp(`Order.*${reference}`) }))
  await expectNoAxeViolations(page)
  await field.fill('kwabena whole')
  await expectVisible(page.getByRole('option', { name: /Account.*Kwabena Wholesale/ }))
  await field.fill('today')
  await expectVisible(page.getByRole('option', { name: 'Today' }))
  await page.keyboard.press('Enter')
  await expectVisible(page.getByRole('heading', { name: 'Today', level: 1 }))
  await page.keyboard.press('/')
  await expectVisible(page.getByRole('option', { name: 'Today' }))
  await field.fill('message to all')
  await expectVisible(page.getByRole('option', { name: 'Show a message to all resellers' }))
  await page.keyboard.press('Enter')
  await expectVisible(page.getByRole('dialog').getByRole('textbox', { name: /Message/ }))
})

test('an incident shows above the screens of resellers and of the desk until it is ended', async () => {
  const page = await shop.openPage({ as: 'staff support', path: '/desk/notices?tell=yes' })
  await page.getByRole('dialog').getByLabel('Message').fill('MTN is slow since 9:00. Orders arrive, but later.')
  await page.getByRole('button', { name: 'Show it' }).click()
  await expectVisible(page.getByRole('status', { name: 'What we tell everybody' }).getByText('MTN is slow'))
  await expectNoAxeViolations(page)
  const reseller = await shop.openPage({ as: 'buyer' })
  const banner = reseller.getByRole('status', { name: 'What we tell everybody' })
  await expectVisible(banner.getByText('Trouble:'))
  await expectVisible(banner.getByText('MTN is slow since 9:00.'))
  await expectVisible(reseller.getByRole('main'))
  await expectNoAxeViolations(reseller)
  await page.getByRole('button', { name: 'End it' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'End it' }).click()
  await expectVisible(page.getByText('Ended by support@desk.test'))
  await reseller.reload()
  await expectVisible(reseller.getByRole('main'))
  expect(await banner.getByText('MTN is slow').count()).toBe(0)
})

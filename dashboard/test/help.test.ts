import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { helpHours, helpPhone, helpWhatsApp } from '../../server/src/accounts/problems/help.settings.ts'
import { until } from '../../server/src/orders/dispatch/order-bench.fixture.ts'
import { writeSetting } from '../../server/src/platform/settings/settings.ts'
import { expectNoAxeViolations } from './expect-no-axe-violations.ts'
import { expectVisible } from './expect-visible.ts'
import { emailOf, passwordOfAll } from './make-team.ts'
import { type BrowserShop, setUpShopInBrowser } from './set-up-shop-in-browser.ts'

const reference = 'refused-airtime'

/** Sets the operator's phone numbers and hours, and buys airtime that fails and is refunded. */
async function buyAndFail(opened: BrowserShop): Promise<void> {
  await writeSetting(opened.db, helpWhatsApp, '+233241234567', 'test')
  await writeSetting(opened.db, helpPhone, '+233302123456', 'test')
  await writeSetting(opened.db, helpHours, 'Monday to Saturday, 8:00 to 20:00', 'test')
  await opened.app.untilSeen()
  await opened.startWorker()
  const page = await opened.openPage({ as: 'owner', path: null })
  const data = { orders: [{ network: 'MTN', beneficiary_phone: '0241234901', amount: 20, reference }] }
  const headers = { origin: opened.app.url }
  expect((await page.request.post('/app/api/airtime/purchase', { data, headers })).status()).toBe(200)
  await until(async () => {
    const order = await opened.db.selectFrom('orders').select('status').where('reference', '=', reference).executeTakeFirst()
    return order?.status === 'refunded'
  })
  await opened.stopWorker()
}

const shop = setUpShopInBrowser({ isSimulated: true, hasStaff: true, prepare: buyAndFail })

async function expectWaysToOperator(page: Page, about = ''): Promise<void> {
  const whatsapp = page.getByRole('link', { name: 'WhatsApp' })
  await expectVisible(whatsapp)
  expect(await whatsapp.getAttribute('href')).toBe(`https://wa.me/233241234567${about}`)
  expect(await page.getByRole('link', { name: 'Call 030 212 3456' }).getAttribute('href')).toBe('tel:+233302123456')
  await expectVisible(page.getByText('Monday to Saturday, 8:00 to 20:00'))
}

test('a refunded order offers to buy again and no receipt, until the customer has one, which says that it was not delivered', async () => {
  const page = await shop.openPage({ as: 'buyer', path: '/app/orders' })
  await page.getByText('024 123 4901').first().click()
  await expectVisible(page.getByRole('button', { name: 'Buy again' }))
  await expectVisible(page.getByText('The money is back in your wallet').first())
  const receipts = page.getByRole('button', { name: /^(Copy receipt|Make a receipt|Send on WhatsApp)$/ })
  expect(await receipts.allInnerTexts()).toEqual([])
  const path = `/app/api/orders/${page.url().split('/').pop()}/receipt`
  const headers = { origin: shop.app.url }
  const made = await page.request.put(path, { data: { shows_number: false }, headers })
  expect(made.status()).toBe(200)
  await page.reload()
  const href = await page.getByRole('link', { name: 'See it' }).getAttribute('href')
  await page.goto(href ?? '')
  await expectVisible(page.getByRole('heading', { name: 'Not delivered' }))
  await page.request.delete(path, { headers })
})

test.each([360, 1280])(
  'a problem with a failed order reaches the desk with its reference, and the answer comes back, %i pixels wide',
  async (width) => {
    const page = await shop.openPage({ as: 'buyer', path: '/app/orders', width })
    await page.getByText('024 123 4901').first().click()
    await expectVisible(page.getByText('Need help?'))
    await expectWaysToOperator(page, `?text=${encodeURIComponent(`Hello, it is about my order ${reference}. `)}`)
    await expectNoAxeViolations(page)
    const report = page.getByRole('link', { name: 'Report a problem' })
    // A small phone shows the link without scrolling.
    expect((await report.boundingBox())?.y).toBeLessThan(560)
    await report.click()
    await expectVisible(page.getByRole('list', { name: 'Sent with it' }).getByText(reference))
    const said = `My customer got it all the same, seen at ${width}`
    await page.getByLabel('What is wrong?').fill(said)
    await page.reload()
    await page.getByRole('button', { name: 'Send to us' }).click()
    await expectVisible(page.getByText('Sent. The answer comes'))
    const row = page.getByRole('listitem').filter({ hasText: said })
    await expectVisible(row.getByText('Waiting'))
    await expectNoAxeViolations(page)

    const desk = await shop.openPage({ as: 'staff support', width: 1280 })
    await desk.getByRole('region', { name: 'Reported problems' }).getByText(said).click()
    const panel = desk.getByRole('complementary', { name: 'The chosen problem' })
    await expectVisible(panel.getByRole('link', { name: reference }))
    await expectNoAxeViolations(desk)
    await panel.getByRole('button', { name: 'Answer', exact: true }).click()
    const dialog = desk.getByRole('dialog')
    await dialog.getByLabel('Answer', { exact: true }).fill('The network delivered late. You keep the refund.')
    await dialog.getByRole('button', { name: 'Answer', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    await expectVisible(desk.getByText('No problem waits for you'))

    await page.reload()
    await expectVisible(row.getByText('The network delivered late. You keep the refund.'))
    await page.goto(`${shop.app.url}/app/notices`)
    await expectVisible(page.getByText('Your problem was answered').first())
  },
)

test('a screen that cannot be read leads to a person, with the request id filled in', async () => {
  shop.expectFaults(/500/)
  const page = await shop.openPage({ as: 'owner', path: null })
  await page.route(
    (url) => url.pathname === '/app/api/wallet/entries',
    (route) => route.fulfill({ status: 500, headers: { 'x-request-id': 'req-4711' }, json: { error: { message: 'It broke.' } } }),
  )
  await page.goto(`${shop.app.url}/app/wallet`)
  await expectWaysToOperator(page)
  await expectNoAxeViolations(page)
  await page.getByRole('link', { name: 'Report a problem' }).click()
  await expectVisible(page.getByRole('list', { name: 'Sent with it' }).getByText('req-4711'))
  await page.getByRole('button', { name: 'Leave out' }).click()
  await expect.poll(() => page.getByText('req-4711').count()).toBe(0)
})

test('somebody without the phone and without back-up codes finds the operator at the sign-in', async () => {
  const page = await shop.openPage()
  await page.route(
    (url) => url.pathname === '/app/api/sign-in',
    (route) => route.fulfill({ json: { success: true, data: { status: 'second_factor' } } }),
  )
  await page.getByLabel('E-mail').fill(emailOf('owner'))
  await page.getByRole('textbox', { name: 'Password' }).fill(passwordOfAll)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'I do not have my phone' }).click()
  await expectVisible(page.getByText('No back-up code either?'))
  await expectWaysToOperator(page)
  await expectNoAxeViolations(page)
})

test('more leads to help on a phone', async () => {
  const page = await shop.openPage({ as: 'viewer', path: '/app/more' })
  await page.getByRole('link', { name: 'Help' }).click()
  await expectWaysToOperator(page)
  await expectVisible(page.getByLabel('What is wrong?'))
})

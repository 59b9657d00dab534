import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { writeCommissionPlan } from '../../server/src/money/write-commission-plan.ts'
import { inTransaction } from '../../server/src/platform/database/in-transaction.ts'
import { afaWords } from '../src/app/words/afa.ts'
import { expectNoAxeViolations } from './expect-no-axe-violations.ts'
import { expectVisible } from './expect-visible.ts'
import { emailOf, passwordOfAll } from './make-team.ts'
import { setUpShopInBrowser } from './set-up-shop-in-browser.ts'
import { untilQuiet } from './watch-page.ts'

const shop = setUpShopInBrowser({
  isSimulated: true,
  prepare: ({ db }) =>
    inTransaction(db, (tx) =>
      writeCommissionPlan(tx, {
        rates: [{ product: 'utilities', network: 'dstv', rateBasisPoints: 155 }],
        shares: [{ product: 'utilities', role: 'agent', shareBasisPoints: 5_000 }],
      }),
    ),
})

const numbers = (page: Page) => page.getByLabel('Numbers, one or many')
const dialogOf = (page: Page) => page.getByRole('dialog')
const unknown = (page: Page) => page.getByText('We do not know yet whether this was bought')

async function openData(page: Page): Promise<void> {
  await page.goto('/app/buy')
  await page.getByRole('radio', { name: '1 GB' }).check()
}

/** Opens a page whose clock the test moves on, and which still runs by itself. */
async function openWithClock(path: string): Promise<Page> {
  const page = await shop.openPage({ as: 'buyer', path: null })
  await page.clock.install()
  await page.goto(path)
  return page
}

const ordersOf = (recipient: string) =>
  shop.db.selectFrom('orders').select(['price', 'status']).where('recipient', '=', recipient).execute()

test.each([
  [360, 'light'],
  [1280, 'dark'],
] as const)('the confirmation names in large letters who gets it, %i pixels wide, %s', async (width, colorScheme) => {
  const page = await shop.openPage({ as: 'buyer', width, colorScheme })
  await openData(page)
  await numbers(page).fill('0247100001')
  await page.getByRole('button', { name: 'Buy for GHS 5.20' }).click()
  await expectVisible(dialogOf(page).getByText('024 710 0001, MTN'))
  await expectVisible(dialogOf(page).getByText(/^Balance after: GHS/))
  await expectVisible(dialogOf(page).getByRole('button', { name: 'Pay GHS 5.20' }))
  await expectNoAxeViolations(page)
  await dialogOf(page).getByRole('button', { name: 'Cancel' }).click()

  const many = Array.from({ length: 94 }, (_, index) => `02472000${String(index).padStart(2, '0')}`)
  await numbers(page).fill(many.join('\n'))
  await page.getByRole('button', { name: 'Buy for GHS 488.80' }).click()
  await expectVisible(dialogOf(page).getByText('94 numbers', { exact: true }))
  await expectVisible(dialogOf(page).getByText('024 720 0002'))
  expect(await dialogOf(page).getByText('024 720 0003').count()).toBe(0)
  await dialogOf(page).getByRole('button', { name: 'Show all 94' }).click()
  await expectVisible(dialogOf(page).getByText('024 720 0093'))
  await expectVisible(dialogOf(page).getByRole('button', { name: 'Pay GHS 488.80' }))
  await expectNoAxeViolations(page)
})

test('the confirmation of a bill names the holder of the number and the commission', async () => {
  const page = await shop.openPage({ as: 'buyer', path: '/app/buy/bills' })
  await page.getByRole('radio', { name: 'DSTV' }).check()
  await page.getByLabel(/smartcard/i).fill('7023456789')
  await page.getByRole('button', { name: 'Find the account' }).click()
  await page.getByLabel('Amount in GHS').fill('20.50')
  await page.getByRole('button', { name: 'Pay GHS 20.50' }).click()
  await expectVisible(dialogOf(page).getByText('702 345 6789, KWAME ASANTE'))
  await expectVisible(dialogOf(page).getByText('You earn GHS 0.15 when it is delivered'))
  await expectVisible(dialogOf(page).getByRole('button', { name: 'Pay GHS 20.50' }))
  await expectNoAxeViolations(page)
})

test('the holder of an account that was typed before is not shown for the next one, though the biller answers later', async () => {
  const page = await shop.openPage({ as: 'buyer', path: '/app/buy/bills' })
  const { promise: isLate, resolve: answerLate } = Promise.withResolvers<void>()
  await page.route(/bills\/account.*7023456789/, async (route) => {
    await isLate
    await route.continue()
  })
  await page.getByRole('radio', { name: 'DSTV' }).check()
  const find = async (account: string) => {
    await page.getByLabel(/smartcard/i).fill(account)
    await page.getByRole('button', { name: 'Find the account' }).click()
  }
  await find('7023456789')
  await find('7023456788')
  await expectVisible(page.getByText('ABENA BOATENG'))
  const late = page.waitForResponse(/bills\/account.*7023456789/)
  answerLate()
  await (await late).finished()
  await page.getByLabel('Amount in GHS').fill('20.50')
  await page.getByRole('button', { name: 'Pay GHS 20.50' }).click()
  await expectVisible(dialogOf(page).getByText('702 345 6788, ABENA BOATENG'))
})

test('a bill is bought again for its own account, though the account begins like a phone number', async () => {
  const account = '233023456788'
  const page = await shop.openPage({ as: 'buyer', path: '/app/buy/bills' })
  await page.getByRole('radio', { name: 'DSTV' }).check()
  await page.getByLabel(/smartcard/i).fill(account)
  await page.getByRole('button', { name: 'Find the account' }).click()
  await page.getByLabel('Amount in GHS').fill('20.50')
  await page.getByRole('button', { name: 'Pay GHS 20.50' }).click()
  await dialogOf(page).getByRole('button', { name: 'Pay GHS 20.50' }).click()
  await expect.poll(() => ordersOf(account)).toHaveLength(1)
  const { id } = await shop.db.selectFrom('orders').select('id').where('recipient', '=', account).executeTakeFirstOrThrow()
  await page.goto(`/app/orders/${id}`)
  await page.getByRole('button', { name: 'Buy again' }).click()
  expect(await page.getByLabel(/smartcard/i).inputValue()).toBe(account)
})

test('a purchase without an answer is said after 15 seconds, and stays in sight in every tab until it is known', async () => {
  shop.expectFaults(/purchase/)
  const page = await openWithClock('/app/buy')
  await page.getByRole('radio', { name: '1 GB' }).check()
  // The server gets the purchase, and its answer never reaches the page.
  await page.route('**/app/api/data/purchase', async (route) => void (await route.fetch()))
  await numbers(page).fill('0247300001\n0247300002')
  await page.getByRole('button', { name: 'Buy for GHS 10.40' }).click()
  await dialogOf(page).getByRole('button', { name: 'Pay GHS 10.40' }).click()
  await expect.poll(() => ordersOf('0247300002')).toHaveLength(1)
  expect(await unknown(page).count()).toBe(0)
  await page.clock.fastForward(15_000)
  await expectVisible(unknown(page))
  await expectVisible(page.getByText('024 730 0002'))
  await expectNoAxeViolations(page)

  const other = await page.context().newPage()
  await other.goto('/app')
  await expectVisible(other.getByText('024 730 0001, 024 730 0002'))
  await expectVisible(other.getByLabel('Balance'))
  await expectNoAxeViolations(other)
  await other.goto('/app/profile')
  await other.getByRole('button', { name: 'Sign out' }).click()
  await other.getByLabel('E-mail').waitFor()
  // The next person at this phone can read no numbers, and the purchase is still known by its references.
  const left = await other.evaluate<string>('JSON.stringify({ ...localStorage, ...sessionStorage })')
  expect(left).not.toMatch(/02473\d|24730/)
  expect(left).toContain('references')
  await other.getByLabel('E-mail').fill(emailOf('buyer'))
  await other.getByRole('textbox', { name: 'Password' }).fill(passwordOfAll)
  await other.getByRole('button', { name: 'Sign in', exact: true }).click()
  await other.getByRole('link', { name: 'Ask again' }).click()
  await other.getByRole('button', { name: 'Ask again' }).click()
  await expectVisible(other.getByText('2 bought'))
  await other.goto('/app')
  await untilQuiet(other)
  await expect.poll(() => unknown(page).count()).toBe(0)
  expect(await unknown(other).count()).toBe(0)
  expect(await ordersOf('0247300001')).toHaveLength(1)
})

test('while a purchase is on its way, its question cannot be closed, so that nobody buys the same once more', async () => {
  const page = await shop.openPage({ as: 'buyer', path: null })
  await openData(page)
  const { promise: isLate, resolve: answerLate } = Promise.withResolvers<void>()
  await page.route('**/app/api/data/purchase', async (route) => {
    await isLate
    await route.continue()
  })
  await numbers(page).fill('0247310001')
  await page.getByRole('button', { name: 'Buy for GHS 5.20' }).click()
  const sent = page.waitForRequest('**/app/api/data/purchase')
  await dialogOf(page).getByRole('button', { name: 'Pay GHS 5.20' }).click()
  await sent
  await page.keyboard.press('Escape')
  await page.mouse.click(2, 2)
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))')
  expect(await dialogOf(page).getByRole('button', { name: 'Cancel' }).count()).toBe(1)
  answerLate()
  await expectVisible(page.getByText('Paid', { exact: true }))
  expect(await dialogOf(page).count()).toBe(0)
})

test('a registration that the server does not know yet may still be placed for a minute, and is not called refused before', async () => {
  shop.expectFaults(/afa/)
  const page = await openWithClock('/app/buy/afa')
  await page.getByLabel('Full name, as on the card').fill('Yaa Asantewaa')
  await page.getByLabel('Phone', { exact: true }).fill('0247320001')
  await page.getByLabel('Ghana Card number').fill('1234567890')
  await page.getByLabel('Date of birth').fill('1990-01-02')
  await page.getByLabel('Region').selectOption('Ashanti')
  await page.getByLabel('Town or place').fill('Kumasi')
  await page.route('**/app/api/afa/register', (route) => route.abort())
  await page.getByRole('button', { name: /^Register/ }).click()
  await dialogOf(page)
    .getByRole('button', { name: /^Pay GHS/ })
    .click()
  await expectVisible(unknown(page))
  const ask = async () => {
    const answered = page.waitForResponse(/afa\/orders\//)
    await page.getByRole('button', { name: 'Ask again' }).click()
    await (await answered).finished()
  }
  await ask()
  await untilQuiet(page)
  expect(await unknown(page).count()).toBe(1)
  await page.clock.fastForward(60_000)
  await ask()
  await expectVisible(page.getByText(afaWords.notRegistered))
  expect(await unknown(page).count()).toBe(0)
})

test('a server that is late, not reached or being restarted is named as what it is, and never called offline', async () => {
  shop.expectFaults(/home/)
  const page = await openWithClock('/app/wallet')
  await page.route('**/app/api/home', () => undefined)
  await page.getByRole('link', { name: 'Home' }).first().click()
  await page.clock.fastForward(15_000)
  await expectVisible(page.getByText('No answer yet'))
  await page.unroute('**/app/api/home')
  await page.route('**/app/api/home', (route) => route.fulfill({ status: 502, body: '<h1>Bad Gateway</h1>' }))
  await page.getByRole('button', { name: 'Try again' }).click()
  await expectVisible(page.getByText('Makola is being restarted. Try again in a minute.'))
  await page.unroute('**/app/api/home')
  await page.route('**/app/api/home', (route) => route.fulfill({ status: 503, body: 'no server available' }))
  await page.getByRole('button', { name: 'Try again' }).click()
  await expectVisible(page.getByText('Makola is being updated, or has too much to do. Try again in a minute.'))
  expect(await page.getByText('offline').count()).toBe(0)
  await page.unroute('**/app/api/home')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expectVisible(page.getByLabel('Balance'))
})

test('a wallet that is too small says what is missing, leads to a top-up of it, and back to the form as it was', async () => {
  // The payment page of the gateway is on another server; `watchPage` counts a request to another server as a fault.
  shop.expectFaults(/asked http:\/\/127\.0\.0\.1:/)
  const page = await shop.openPage({ as: 'buyer', path: '/app/buy/airtime' })
  const lines = Array.from({ length: 15 }, (_, index) => `02474000${String(index).padStart(2, '0')}, 100`).join('\n')
  await numbers(page).fill(lines)
  const before = await page.getByLabel('Balance').innerText()
  const missing = `GHS ${(1_500 - Number(before.replaceAll(/[^\d.]/g, ''))).toFixed(2)}`
  await expectVisible(page.getByText(`You need ${missing} more`))
  expect(await page.getByText('Balance after').count()).toBe(0)
  await expectNoAxeViolations(page)
  await page.getByRole('link', { name: `Top up ${missing}` }).click()
  expect(await page.getByLabel('What your wallet gets, in GHS').inputValue()).toBe(missing.slice(4))
  await page.goBack()
  expect(await numbers(page).inputValue()).toBe(lines)
  await page.getByRole('link', { name: `Top up ${missing}` }).click()
  await page.getByRole('button', { name: /^Pay GHS/ }).click()
  await dialogOf(page).getByRole('button', { name: 'Pay now' }).click()
  await expectVisible(page.getByRole('heading', { name: 'Simulated payment page' }))
  await page.getByRole('button', { name: /^Pay GHS/ }).click()
  await page.getByRole('link', { name: 'Back to what you were buying' }).click()
  expect(await numbers(page).inputValue()).toBe(lines)
  await expectVisible(page.getByRole('button', { name: 'Buy for GHS 1,500.00' }))
  await expectVisible(page.getByText('Balance after: GHS 0.00'))
})

test('“Ordered” becomes “Delivered” by itself, or says what came back, from one question for all, which rests while the page is hidden', async () => {
  await shop.stopWorker()
  const page = await openWithClock('/app/buy')
  let questions = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/orders/states')) questions += 1
  })
  await page.getByRole('radio', { name: '1 GB' }).check()
  await numbers(page).fill('0247500001\n0247500002\n0247500907')
  await page.getByRole('button', { name: 'Buy for GHS 15.60' }).click()
  await dialogOf(page).getByRole('button', { name: 'Pay GHS 15.60' }).click()
  await expect.poll(() => page.getByText('Ordered').count()).toBe(3)
  await expectVisible(page.getByText('3 bought'))
  const balance = async () => Number((await page.getByLabel('Balance').innerText()).replaceAll(/[^\d.]/g, ''))
  const paid = await balance()
  const hide = (state: 'hidden' | 'visible') =>
    page.evaluate(`
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => '${state}' })
      document.dispatchEvent(new Event('visibilitychange'))
    `)
  await hide('hidden')
  await page.clock.runFor(20_000)
  expect(questions).toBe(0)
  await hide('visible')
  await page.clock.runFor(5_000)
  await expect.poll(() => questions).toBe(1)

  await shop.startWorker()
  const stateOf = async (recipient: string) => (await ordersOf(recipient)).map(({ status }) => status).join()
  for (const recipient of ['0247500001', '0247500002']) await expect.poll(() => stateOf(recipient)).toBe('completed')
  await expect.poll(() => stateOf('0247500907')).toBe('refunded')
  await page.clock.runFor(5_000)
  await expect.poll(() => page.getByText('Delivered', { exact: true }).count()).toBe(2)
  await expectVisible(page.getByText('1 of 3 not delivered. GHS 5.20 came back'))
  await expectVisible(page.getByText('2 bought'))
  await expect.poll(balance).toBeCloseTo(paid + 5.2, 5)
  const asked = questions
  await page.clock.runFor(60_000)
  expect(questions).toBe(asked)
})

test('Home and the list of orders show a delivery by themselves', async () => {
  await shop.stopWorker()
  const page = await shop.openPage({ as: 'buyer', path: null })
  await openData(page)
  await numbers(page).fill('0247600001')
  await page.getByRole('button', { name: 'Buy for GHS 5.20' }).click()
  await dialogOf(page).getByRole('button', { name: 'Pay GHS 5.20' }).click()
  await expectVisible(page.getByText('Ordered'))
  await page.getByRole('link', { name: 'Home' }).first().click()
  const onHome = page.getByRole('list', { name: 'Newest orders' }).getByRole('link', { name: /024 760 0001/ })
  await expectVisible(onHome.getByText('Ordered'))
  const list = await page.context().newPage()
  await list.goto('/app/orders')
  const inList = list.getByRole('link', { name: /024 760 0001/ })
  await expectVisible(inList.getByText('Ordered'))
  await shop.startWorker()
  await expectVisible(onHome.getByText('Delivered'))
  await expectVisible(inList.getByText('Delivered'))
})

test('what was typed survives a reload, and a session that has ended leads to the sign-in and back to the form', async () => {
  const page = await shop.openPage({ as: 'buyer', path: null })
  await openData(page)
  await numbers(page).fill('0247700001')
  await page.reload()
  expect(await numbers(page).inputValue()).toBe('0247700001')
  await page.getByRole('button', { name: 'Buy for GHS 5.20' }).waitFor()
  await page.context().clearCookies()
  // No other read says that the session has ended: the form's own call must lead to the sign-in.
  await page.route('**/app/api/me', (route) => route.abort())
  await page.getByRole('button', { name: 'Buy for GHS 5.20' }).click()
  await expectVisible(page.getByText('Your session has ended.'))
  await page.unroute('**/app/api/me')
  await page.getByLabel('E-mail').fill(emailOf('buyer'))
  await page.getByRole('textbox', { name: 'Password' }).fill(passwordOfAll)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expectVisible(page.getByRole('button', { name: 'Buy for GHS 5.20' }))
  expect(await numbers(page).inputValue()).toBe('0247700001')

  await page.getByRole('link', { name: 'Bills' }).click()
  await page.getByRole('radio', { name: 'DSTV' }).check()
  await page.getByLabel(/smartcard/i).fill('7023456789')
  await page.getByRole('link', { name: 'Vouchers' }).click()
  await page.getByRole('link', { name: 'AFA' }).click()
  await page.getByLabel('Town or place').fill('Kumasi')
  await page.getByLabel('Ghana Card number').fill('1234567890')
  await page.goBack()
  await page.goBack()
  expect(await page.getByLabel(/smartcard/i).inputValue()).toBe('7023456789')
  await page.goto('/app/buy/afa')
  expect(await page.getByLabel('Town or place').inputValue()).toBe('Kumasi')
  // The browser stores no part of the Ghana Card number.
  expect(await page.evaluate<string>('JSON.stringify({ ...localStorage, ...sessionStorage })')).not.toContain('123456789')
})

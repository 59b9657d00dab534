import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { makeKeyFor } from '../../server/test/make-account.ts'
import { expectNoAxeViolations } from './expect-no-axe-violations.ts'
import { expectVisible } from './expect-visible.ts'
import { setUpShopInBrowser } from './set-up-shop-in-browser.ts'

const shop = setUpShopInBrowser({ team: { balancePesewas: 200_000 } })

const numbers = (page: Page) => page.getByLabel('Numbers, one or many')
const checked = (page: Page) => page.getByRole('list', { name: 'Your lines, checked' })
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click()
const choose = (page: Page, name: string) => page.getByRole('radio', { name }).check()
const chooseAmount = (page: Page, name: string) => page.getByRole('radio', { name, exact: true }).check()

/** Pastes into the field of numbers, as a phone does it. */
async function paste(page: Page, text: string): Promise<void> {
  await numbers(page).focus()
  await page.evaluate(`{
    const clipboardData = new DataTransfer()
    clipboardData.setData('text', ${JSON.stringify(text)})
    document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }`)
}

/** Buys a bundle of 1 GB as the reseller's program does. */
async function buyByProgram(recipient: string): Promise<void> {
  const key = await makeKeyFor(shop.db, shop.accountId)
  await shop.app.untilSeen()
  const body = { network: 'MTN', volume_gb: 1, recipient, reference: `program-${recipient}` }
  expect((await shop.app.call('POST', '/data/purchase', { key, body })).status).toBe(200)
}

const ordersOf = (recipient: string) =>
  shop.db.selectFrom('orders').select('source').where('recipient', '=', recipient).orderBy('id').execute()

test.each([360, 1280])('the same again is asked about, also after a purchase by the program, %i pixels wide', async (width) => {
  const number = `024810${String(width).padStart(4, '0')}`
  await buyByProgram(number)
  const page = await shop.openPage({ as: 'buyer', width, path: '/app/buy' })
  await choose(page, '1 GB')
  await numbers(page).fill(number)
  await expectVisible(checked(page).getByText(`${number} was bought less than a minute ago: Ordered`))
  await expectNoAxeViolations(page)
  await page.getByRole('button', { name: 'Buy again', exact: true }).click()
  await press(page, 'Buy for GHS 5.20')
  const dialog = page.getByRole('dialog')
  await expectVisible(dialog.getByText(/^The same again\? It was bought less than a minute ago: Ordered/))
  await expectNoAxeViolations(page)
  await dialog.getByRole('button', { name: 'Pay GHS 5.20' }).click()
  await expectVisible(page.getByText('Paid', { exact: true }))
  expect((await ordersOf(number)).map(({ source }) => source)).toEqual(['api', 'dashboard'])
})

test('what another tab has bought a moment ago is found when the question would be asked', async () => {
  const page = await shop.openPage({ as: 'buyer', path: '/app/buy' })
  await choose(page, '1 GB')
  await numbers(page).fill('0248200001')
  await expectVisible(page.getByText('1 ready'))
  await buyByProgram('0248200001')
  await press(page, 'Buy for GHS 5.20')
  await expectVisible(checked(page).getByText(/^0248200001 was bought less than a minute ago/))
  expect(await page.getByRole('dialog').count()).toBe(0)
  expect(await ordersOf('0248200001')).toHaveLength(1)
})

test('what is bought is what was asked about, though somebody types while the last check runs', async () => {
  const page = await shop.openPage({ as: 'buyer', path: '/app/buy/airtime' })
  await numbers(page).fill('0248600001, 10')
  const buy = page.getByRole('button', { name: 'Buy for GHS 10.00' })
  await buy.waitFor()
  const { promise: isLate, resolve: answerLate } = Promise.withResolvers<void>()
  await page.route('**/app/api/airtime/check', async (route) => {
    await isLate
    await route.continue()
  })
  const asked = page.waitForRequest('**/app/api/airtime/check')
  await buy.click()
  await asked
  await numbers(page).focus()
  await page.keyboard.press('End')
  await page.keyboard.type('0')
  expect(await numbers(page).inputValue()).toBe('0248600001, 10')
  answerLate()
  await press(page, 'Pay GHS 10.00')
  await expectVisible(page.getByText('Paid', { exact: true }))
  const bought = await shop.db.selectFrom('orders').select('price').where('recipient', '=', '0248600001').execute()
  expect(bought).toEqual([{ price: 1_000 }])
})

test('a list that was bought already is removed with one tap, or bought again with one', async () => {
  const page = await shop.openPage({ as: 'buyer', path: '/app/buy/airtime' })
  const list = '0248300001\n0248300002'
  await chooseAmount(page, '5')
  await numbers(page).fill(list)
  await press(page, 'Buy for GHS 10.00')
  await press(page, 'Pay GHS 10.00')
  await press(page, 'Buy more')
  await chooseAmount(page, '5')
  await numbers(page).fill(`${list}\n0248300003`)
  await press(page, 'Buy all 2 again')
  await expectVisible(page.getByRole('button', { name: 'Buy for GHS 15.00' }))
  await numbers(page).fill(`${list}\n0248300003`)
  await press(page, 'Remove all 2 that were bought')
  expect(await numbers(page).inputValue()).toBe('0248300003')
  await expectVisible(page.getByRole('button', { name: 'Buy for GHS 5.00' }))
})

test.each([
  [360, 'light'],
  [1280, 'dark'],
] as const)(
  'a pasted chat is split by networks, and its bad lines go with one tap, %i pixels wide, %s',
  async (width, colorScheme) => {
    const page = await shop.openPage({ as: 'buyer', width, colorScheme, path: '/app/buy' })
    await choose(page, '1 GB')
    const chat = `[24/11/2026, 10:30] Ama: Good morning
[24/11/2026, 10:31] Ama: +233 24 840 0001
[24/11/2026, 10:31] Ama: 020 840 0002 and 2GB for 0248400003 2 gb
[24/11/2026, 10:32] Kofi: 024840000, 1
[24/11/2026, 10:32] Kofi: 0248400004, 1,5`
    await paste(page, chat.replace('020 840 0002 and 2GB for', '020 840 0002 1gb,'))
    expect(await numbers(page).inputValue()).toBe('0248400001\n0208400002, 1gb\n0248400003, 2 gb\n024840000, 1\n0248400004, 1, 5')
    await expectVisible(checked(page).getByText('Line 5: 0248400004, 1, 5'))
    await press(page, 'Remove: 0248400004')
    await expectVisible(page.getByText('3 ready'))
    await expectVisible(checked(page).getByText('Line 4: 024840000, 1'))
    await expectVisible(page.getByRole('radio', { name: 'Automatic: MTN, Telecel' }))
    await numbers(page).fill(`${await numbers(page).inputValue()}\n99`)
    await expectVisible(checked(page).getByText('Line 5'))
    await expectNoAxeViolations(page)
    await press(page, 'Remove all 2 that cannot be bought')
    expect(await numbers(page).inputValue()).toBe('0248400001\n0208400002, 1gb\n0248400003, 2 gb')
  },
)

test('the result names what was left out, and “Buy more” is in sight below a hundred lines', async () => {
  const page = await shop.openPage({ as: 'buyer', width: 360, path: '/app/buy' })
  await choose(page, '1 GB')
  const good = Array.from({ length: 94 }, (_, index) => `02485000${String(index).padStart(2, '0')}`)
  await numbers(page).fill([...good, '024850000'].join('\n'))
  await press(page, /^Buy for GHS/)
  await press(page, /^Pay GHS/)
  await expectVisible(page.getByText('94 bought'))
  await expectVisible(page.getByText('1 line is left out. It stays here.'))
  const more = await page.getByRole('button', { name: 'Buy more' }).boundingBox()
  expect((more?.y ?? Number.POSITIVE_INFINITY) + (more?.height ?? 0)).toBeLessThan(page.viewportSize()?.height ?? 0)
  expect(await page.getByText('024 850 0007').count()).toBe(0)
  await press(page, 'Show all 94')
  await expectVisible(page.getByText('024 850 0007'))
})

test('all products are in sight at 320 pixels', async () => {
  const page = await shop.openPage({ as: 'buyer', width: 320, path: '/app/buy' })
  await page.getByRole('radio', { name: '1 GB' }).waitFor()
  for (const name of ['Data', 'Airtime', 'Bills', 'Vouchers', 'AFA']) {
    const box = await page.getByRole('navigation', { name: 'What to buy' }).getByRole('link', { name }).boundingBox()
    expect(box && box.x >= 0 && box.x + box.width <= 320).toBe(true)
  }
})

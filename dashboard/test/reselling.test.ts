import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectVisible } from './expect-visible.ts'
import { setUpShopInBrowser } from './set-up-shop-in-browser.ts'
import { untilQuiet } from './watch-page.ts'

const shop = setUpShopInBrowser({ isSimulated: true })

const priceIn = async (page: Page): Promise<number> => {
  const { data } = (await (await page.request.get('/app/api/data')).json()) as {
    data: { packages: { network: string; volume_gb: number; price: number }[] }
  }
  return data.packages.find(({ network, volume_gb: size }) => network === 'MTN' && size === 1)?.price ?? 0
}

const ghs = (amount: number) => `GHS ${amount.toFixed(2)}`

/** Fills in a purchase of MTN 1 GB, up to the dialog that asks for the payment. */
async function askToBuy(page: Page, number: string): Promise<void> {
  await page.goto('/app/buy')
  await page.getByRole('radio', { name: 'MTN', exact: true }).check()
  await page.getByRole('radio', { name: '1 GB' }).check()
  await page.getByLabel('Numbers, one or many').fill(number)
  await page.getByRole('button', { name: /^Buy for/ }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Pay GHS/ })
    .waitFor()
}

const pay = (page: Page) =>
  page
    .getByRole('dialog')
    .getByRole('button', { name: /^Pay GHS/ })
    .click()

test('a price of one’s own says what a purchase earns, before it, on the order and in the profit; the cost is on no receipt', async () => {
  const page = await shop.openPage({ as: 'owner', path: '/app/prices' })
  const cost = await priceIn(page)
  await expectVisible(page.getByText('See what you earn'))
  await page.getByRole('textbox', { name: 'Your price of MTN 1 GB' }).fill((cost + 1.3).toFixed(2))
  await expectVisible(page.getByText('you earn GHS 1.30'))
  await page.getByRole('button', { name: 'Save the prices' }).click()
  await expectVisible(page.getByText('Saved', { exact: true }))
  await page.getByRole('button', { name: 'Copy the list' }).click()

  await askToBuy(page, '0241234567')
  await expectVisible(page.getByRole('dialog').getByText(`Your price ${ghs(cost + 1.3)}: you earn GHS 1.30`))
  await pay(page)
  await page.evaluate('window.open = (address) => { window.opened = address }')
  await page.getByRole('button', { name: 'Send on WhatsApp' }).click()
  await expect.poll(() => page.evaluate('window.opened')).toContain('https://wa.me/233241234567?text=MTN%201GB')
  await page.getByRole('list', { name: 'Line by line' }).getByRole('link').click()
  await expectVisible(page.getByText(ghs(cost + 1.3), { exact: true }))
  await expectVisible(page.getByText('GHS 1.30', { exact: true }))
  const href = await page.getByRole('link', { name: 'See it' }).getAttribute('href')

  const stranger = await shop.openPage({ path: href ?? '', width: 360 })
  await expectVisible(stranger.getByRole('heading', { name: 'On its way' }))
  await expectVisible(stranger.getByText('024*****67'))
  const shown = await stranger.locator('body').innerText()
  expect(shown).toContain(ghs(cost + 1.3))
  expect(shown).not.toContain(cost.toFixed(2))
  expect(await stranger.context().cookies()).toEqual([])

  await page.getByRole('button', { name: 'Delete the receipt' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete the receipt' }).click()
  await expectVisible(page.getByRole('button', { name: 'Make a receipt' }))
  shop.expectFaults(/404/)
  await stranger.reload()
  await expectVisible(stranger.getByRole('heading', { name: 'This receipt is not here' }))

  await page.goto('/app/prices')
  await expectVisible(page.getByLabel('Earned today').getByText('GHS 1.30'))
})

test('a shop is saved with a phone number or with none, and not with half of one', async () => {
  const page = await shop.openPage({ as: 'owner', path: '/app/shop' })
  const save = page.getByRole('button', { name: 'Save', exact: true })
  for (const [phone, isReady] of [
    ['024 123', false],
    ['', true],
    ['024 123 4567', true],
  ] as const) {
    await page.getByLabel('Phone for customers').fill(phone)
    expect([phone, await save.isEnabled()]).toEqual([phone, isReady])
  }
  await save.click()
  await expectVisible(page.getByText('Saved. Receipts show it from now on'))
  await page.getByLabel('Phone for customers').fill('')
  await save.click()
  await expect.poll(() => shop.db.selectFrom('shops').select('phone').execute()).toEqual([{ phone: null }])
})

test('while a logo is on its way, no other one can be chosen', async () => {
  const page = await shop.openPage({ as: 'owner', path: '/app/shop' })
  const gate = Promise.withResolvers<undefined>()
  await page.route('**/app/api/shop/logo', async (route) => {
    await gate.promise
    await route.continue()
  })
  const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const choose = page.getByLabel('Choose a picture')
  await choose.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from(pixel, 'base64') })
  await expect.poll(() => choose.isDisabled()).toBe(true)
  gate.resolve(undefined)
  await expect.poll(() => choose.isDisabled()).toBe(false)
})

test('a price that is typed while others are saved stays, and is still to be saved', async () => {
  const page = await shop.openPage({ as: 'owner', path: '/app/prices' })
  const priceOf = (size: string) => page.getByRole('textbox', { name: `Your price of MTN ${size}`, exact: true })
  const gate = Promise.withResolvers<undefined>()
  await page.route('**/app/api/prices', async (route) => {
    if (route.request().method() === 'PUT') await gate.promise
    await route.continue()
  })
  await priceOf('1 GB').fill('7.00')
  const isSent = page.waitForRequest((request) => request.method() === 'PUT')
  await page.getByRole('button', { name: 'Save the prices' }).click()
  await isSent
  await priceOf('2 GB').fill('13.00')
  gate.resolve(undefined)
  await expect.poll(() => page.getByRole('button', { name: 'Save the prices' }).isEnabled()).toBe(true)
  expect(await priceOf('2 GB').inputValue()).toBe('13.00')
  expect(await priceOf('1 GB').inputValue()).toBe('7.00')
  await page.getByRole('button', { name: 'Save the prices' }).click()
  await expectVisible(page.getByText('Saved', { exact: true }))
})

test('a receipt reads without a script', async () => {
  const page = await shop.openPage({ as: 'owner', path: null })
  const price = await priceIn(page)
  const orders = [{ network: 'MTN', volume_gb: 1, recipient: '0241230000', reference: 'no-script', price }]
  const headers = { origin: shop.app.url }
  const bought = await page.request.post('/app/api/data/purchase', { data: { orders }, headers })
  const { data } = (await bought.json()) as { data: { orders: { order_id: string }[] } }
  const made = await page.request.put(`/app/api/orders/${data.orders[0]?.order_id}/receipt`, {
    data: { shows_number: true },
    headers,
  })
  const { path } = ((await made.json()) as { data: { receipt: { path: string } } }).data.receipt
  const browser = page.context().browser()
  const plain = await browser?.newContext({ javaScriptEnabled: false, ignoreHTTPSErrors: true })
  const stranger = await plain?.newPage()
  await stranger?.goto(`${shop.app.url}${path}`)
  expect(await stranger?.locator('dl').innerText()).toContain('024 123 0000')
  await plain?.close()
})

test('two taps buy again: from an order, from a customer and from Home', async () => {
  const page = await shop.openPage({ as: 'buyer', path: null, width: 360 })
  await askToBuy(page, '0247654321')
  await pay(page)
  const results = page.getByRole('list', { name: 'Line by line' })
  await results.getByRole('link').click()
  await page.getByRole('button', { name: 'Buy again' }).click()
  await expectVisible(page.getByRole('dialog').getByText('024 765 4321'))
  await pay(page)
  await results.waitFor()

  await page.goto('/app/customers/new?number=0247654321')
  await page.getByLabel('Name').fill('Kofi')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Buy again for Kofi' }).click()
  await pay(page)
  await results.waitFor()

  await page.goto('/app')
  await page.getByRole('button', { name: /^Kofi/ }).click()
  await pay(page)
  await results.waitFor()
  const placed = await shop.db.selectFrom('orders').select('id').where('recipient', '=', '0247654321').execute()
  expect(placed).toHaveLength(4)

  // A reload of the form does not ask again.
  await page.goto('/app')
  await page.getByRole('button', { name: /^Kofi/ }).click()
  await page.getByRole('dialog').waitFor()
  await page.reload()
  await page.getByRole('button', { name: /^Buy for/ }).waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
})

test('customers come from a paste, are said to before they are added, and their numbers go into the form with a tap', async () => {
  const page = await shop.openPage({ as: 'buyer', path: '/app/customers' })
  await page.getByLabel('Customers, one on each line').fill('Esi Badu, 020 123 4567, pays late\nNobody')
  await page.getByRole('button', { name: 'Check them' }).click()
  await expectVisible(page.getByText('1 new customer'))
  await expectVisible(page.getByText(/Line 2: “Nobody”/))
  await page.getByRole('button', { name: 'Add 1' }).click()
  await expectVisible(page.getByRole('link', { name: 'Esi Badu' }))
  await page.getByLabel('Name or number').fill('late')
  await expectVisible(page.getByRole('link', { name: 'Esi Badu' }))
  // A purchase for a customer, which is read again, leaves alone what is typed in the form.
  await page.getByRole('link', { name: 'Esi Badu' }).click()
  await page.getByLabel('Note (only you see it)').fill('pays on Friday')
  const last = {
    order_id: crypto.randomUUID(),
    product: 'data',
    network: 'MTN',
    variety: '1GB',
    recipient: '0201234567',
    price: 5,
  }
  await page.route('**/app/api/customers/*', async (route) => {
    const answer = await route.fetch()
    const { data, ...rest } = (await answer.json()) as { data: object }
    await route.fulfill({
      response: answer,
      json: { ...rest, data: { ...data, last: { ...last, at: new Date().toISOString() } } },
    })
  })
  const isRead = page.waitForResponse('**/app/api/customers/*')
  await page.clock.setFixedTime(Date.now() + 60_000)
  await page.evaluate('window.dispatchEvent(new Event("visibilitychange"))')
  await isRead
  await untilQuiet(page)
  expect(await page.getByLabel('Note (only you see it)').inputValue()).toBe('pays on Friday')
  await page.goto('/app/buy/airtime')
  await page.getByRole('list', { name: 'Your customers' }).getByRole('button', { name: 'Esi Badu' }).click()
  expect(await page.getByLabel('Numbers, one or many').inputValue()).toContain('0201234567')
})

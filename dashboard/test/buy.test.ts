import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { raiseCatalogueVersion } from '../../server/src/platform/database/epoch.ts'
import { writeSetting } from '../../server/src/platform/settings/settings.ts'
import { afaFees } from '../../server/src/products/afa/afa.settings.ts'
import { keysOf, stockVouchers } from '../../server/src/products/results-checker/stock-vouchers.fixture.ts'
import { expectNoAxeViolations } from './expect-no-axe-violations.ts'
import { expectVisible } from './expect-visible.ts'
import { setUpShopInBrowser } from './set-up-shop-in-browser.ts'

const shop = setUpShopInBrowser({
  team: { balancePesewas: 200_000 },
  prepare: async ({ app, db }) => stockVouchers(db, await keysOf(app), 3, { name: 'WASSCE' }),
})

const ordersOf = (...recipients: string[]) =>
  shop.db
    .selectFrom('orders')
    .select(['recipient', 'kind', 'price', 'source'])
    .where('account_id', '=', shop.accountId)
    .where('recipient', 'in', recipients)
    .execute()

async function openData(width: number, as: 'owner' | 'buyer' = 'buyer'): Promise<Page> {
  const page = await shop.openPage({ as, width, path: '/app/buy' })
  await page.getByRole('radio', { name: '1 GB' }).check()
  return page
}

const numbers = (page: Page) => page.getByLabel('Numbers, one or many')

/** Pastes into the element that has the focus, as a phone does it. */
const paste = (page: Page, text: string) =>
  page.evaluate(`{
    const clipboardData = new DataTransfer()
    clipboardData.setData('text', ${JSON.stringify(text)})
    document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }`)

/** Presses "Buy" below the form, and "Pay" in the dialog that opens. */
async function buy(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Buy for GHS/ }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Pay GHS/ })
    .click()
}

test('the field for numbers stands above the foot of a small phone, which says what comes next', async () => {
  const page = await openData(360)
  await page.setViewportSize({ width: 360, height: 640 })
  const next = await page.getByRole('button', { name: 'Enter a phone number' }).boundingBox()
  const field = await numbers(page).boundingBox()
  expect((field?.y ?? 640) + (field?.height ?? 0)).toBeLessThan(next?.y ?? 0)
})

test.each([360, 1280])('somebody buys one bundle for a pasted number, %i pixels wide', async (width) => {
  const page = await openData(width)
  const number = `024400${width.toString().padStart(4, '0')}`
  await numbers(page).focus()
  await paste(page, `+233 ${number.slice(1, 3)}-${number.slice(3)}`)
  expect(await numbers(page).inputValue()).toBe(number)
  await expectVisible(page.getByText('1 ready'))
  await expectVisible(page.getByText('1 × MTN 1 GB'))
  await expectNoAxeViolations(page)
  await page.getByRole('button', { name: 'Buy for GHS 5.20' }).click()
  const dialog = page.getByRole('dialog')
  expect(await dialog.innerText()).toMatch(/Buy 1 × MTN 1 GB\?[\s\S]*GHS 5\.20[\s\S]*Balance after: GHS/)
  await expectNoAxeViolations(page)
  await dialog.getByRole('button', { name: /^Pay GHS/ }).click()
  await expectVisible(page.getByText('Paid', { exact: true }))
  await expectVisible(page.getByText('Ordered'))
  await expectVisible(page.getByText('It shows no price, because you had set none for this.'))
  await expectNoAxeViolations(page)
  await page.getByRole('button', { name: 'Buy more' }).click()
  await numbers(page).waitFor()
  // A size that stayed chosen would be sold to the next customer by mistake.
  expect(await page.getByRole('radio', { name: '1 GB', exact: false }).isChecked()).toBe(false)
  expect(await ordersOf(number)).toEqual([{ recipient: number, kind: 'data', price: 520, source: 'dashboard' }])
})

test.each([360, 1280])('a hundred lines with two bad ones: both are named, the rest is bought, %i pixels wide', async (width) => {
  const page = await openData(width, 'owner')
  await page.getByRole('radio', { name: 'MTN', exact: true }).check()
  const good = Array.from(
    { length: 98 },
    (_, index) => `0245${width.toString().padStart(4, '0')}${String(index).padStart(2, '0')}`,
  )
  const csv = ['number', ...good, '0207555901', '024123456'].join('\r\n')
  await page.getByLabel('From a CSV file').setInputFiles({ name: 'numbers.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
  await expectVisible(page.getByText('98 ready'))
  const checked = page.getByRole('list', { name: 'Your lines, checked' })
  await expectVisible(checked.getByText('0207555901 is a Telecel number'))
  await expectVisible(checked.getByText('024123456 has 9 digits, 10 are needed'))
  await buy(page)
  await expectVisible(page.getByText('98 bought'))
  expect(await ordersOf(...good)).toHaveLength(98)
  await page.getByRole('button', { name: 'Buy more' }).click()
  expect(await numbers(page).inputValue()).toBe('0207555901\n024123456')
  for (const name of ['MTN', '1 GB'])
    expect(await page.getByRole('radio', { name, exact: name === 'MTN' }).isChecked()).toBe(true)
  await page.getByRole('button', { name: 'Move to Telecel: 0207555901' }).click()
  await page.getByRole('button', { name: 'Correct: 024123456' }).click()
  await page.keyboard.type(`0246${width.toString().padStart(6, '0')}`)
  await expectVisible(page.getByText('2 ready'))
  await expectVisible(page.getByText('MTN, Telecel').or(page.getByText('Telecel, MTN')))
})

test('a connection lost in the middle of a purchase: said plainly, kept over a reload, and one order in the end', async () => {
  shop.expectFaults(/purchase|Failed to load|net::/)
  const page = await openData(360)
  await page.route('**/app/api/data/purchase', async (route) => {
    // The server gets it and answers; the answer is lost on its way.
    await route.fetch()
    await route.abort('connectionreset')
  })
  await numbers(page).fill('0247000001\n0247000002')
  await buy(page)
  const unknown = page.getByText('We do not know yet whether this was bought')
  await expectVisible(unknown)
  await expectVisible(page.getByText('2 × MTN 1 GB, GHS 10.40'))
  await page.unroute('**/app/api/data/purchase')
  await page.reload()
  await expectVisible(unknown)
  await expectNoAxeViolations(page)
  await page.getByRole('button', { name: 'Ask again' }).click()
  await expectVisible(page.getByText('2 bought'))
  expect((await ordersOf('0247000001', '0247000002')).map(({ price }) => price)).toEqual([520, 520])
  await page.reload()
  await numbers(page).waitFor()
  expect(await unknown.count()).toBe(0)
})

/** Two slips on each paper: its size in points of 1/72 inch, and its pages. */
const papers = [
  { button: 'Print on A4', box: '0 0 594.95996 841.91998', pages: 1 },
  { button: 'Print on a 58 mm roll', box: '0 0 163.919998 163.919998', pages: 2 },
] as const

test('airtime goes to the network of each number, and a voucher is shown as soon as it is bought', async () => {
  const page = await shop.openPage({ as: 'buyer', path: '/app/buy/airtime' })
  await page.getByRole('radio', { name: '5', exact: true }).check()
  await numbers(page).fill('0247000003\n0207000003, 10')
  await expectVisible(page.getByText('2 ready'))
  await buy(page)
  await expectVisible(page.getByText('2 bought'))
  await expectVisible(page.getByText('Telecel GHS 10.00'))
  expect(new Set((await ordersOf('0247000003', '0207000003')).map(({ price }) => price))).toEqual(new Set([500, 1_000]))
  await page.getByRole('link', { name: 'Vouchers' }).click()
  await page.getByLabel('How many').fill('2')
  await buy(page)
  await expectVisible(page.getByText('PIN-WASSCE-1'))
  await expectVisible(page.getByText('PIN-WASSCE-2'))
  await expectNoAxeViolations(page)
  await page.evaluate('window.print = () => { window.printed = (window.printed ?? 0) + 1 }')
  for (const [index, { button, box, pages }] of papers.entries()) {
    await page.getByRole('button', { name: button }).click()
    await expect.poll(() => page.evaluate('window.printed')).toBe(index + 1)
    const paper = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
    expect(paper.match(/\/MediaBox \[[^\]]+\]/g)).toEqual(Array.from({ length: pages }, () => `/MediaBox [${box}]`))
    await page.emulateMedia({ media: 'print' })
    expect(await page.locator('body').innerText()).toMatch(/^Adom Ventures\nWASSCE[^]*PIN-WASSCE-1[^]*PIN-WASSCE-2[^]*results\.$/)
    await page.emulateMedia({ media: null })
  }
})

test('a price that changes while the dialog is open is shown, asked about again, and only then charged', async () => {
  shop.expectFaults(/409|Failed to load/)
  const page = await openData(360)
  await numbers(page).fill('0247000009')
  await page.getByRole('button', { name: 'Buy for GHS 5.20' }).click()
  // The lines are checked once more before the dialog opens.
  await expectVisible(page.getByRole('dialog').getByText('GHS 5.20', { exact: true }))
  const raise = async (pesewas: number) => {
    await sql`update packages set price_agent = price_agent + ${pesewas} where network = 'MTN' and volume_gb = 1`.execute(shop.db)
    await raiseCatalogueVersion(shop.db)
  }
  await raise(460)
  // The API keeps prices in memory, and checks every 250 ms or so if they have changed.
  await expect.poll(() => page.evaluate<string>("fetch('/app/api/data').then((answer) => answer.text())")).toContain('9.8')
  try {
    const dialog = page.getByRole('dialog')
    const confirm = dialog.getByRole('button', { name: /^Pay GHS/ })
    await confirm.click()
    await expectVisible(dialog.getByText('The price has changed'))
    await expectVisible(dialog.getByText('GHS 9.80', { exact: true }))
    await expectNoAxeViolations(page)
    expect(await ordersOf('0247000009')).toEqual([])
    await confirm.click()
    await expectVisible(page.getByText('Paid', { exact: true }))
    expect((await ordersOf('0247000009')).map(({ price }) => price)).toEqual([980])
  } finally {
    await raise(-460)
  }

  await page.goto(`${shop.app.url}/app/buy/vouchers`)
  await page.getByRole('button', { name: 'Buy for GHS 17.50' }).click()
  const dialog = page.getByRole('dialog')
  await expectVisible(dialog.getByText('GHS 17.50', { exact: true }))
  await sql`update voucher_types set price_agent = 1900`.execute(shop.db)
  await dialog.getByRole('button', { name: /^Pay GHS/ }).click()
  await expectVisible(dialog.getByText('GHS 19.00', { exact: true }))
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  await page.goto(`${shop.app.url}/app/buy/afa`)
  await page.getByLabel('Full name, as on the card').fill('Ama Mensah')
  await page.getByLabel('Phone', { exact: true }).fill('0241234567')
  await page.getByLabel('Ghana Card number').fill('123456789 0')
  await page.getByLabel('Date of birth').fill('1990-05-17')
  await page.getByLabel('Region').selectOption('Ashanti')
  await page.getByLabel('Town or place').fill('Kumasi')
  await page.getByRole('button', { name: 'Register for GHS 12.00' }).click()
  await expectVisible(dialog.getByText('GHS 12.00', { exact: true }))
  await writeSetting(shop.db, afaFees.agent, 15, 'test')
  await dialog.getByRole('button', { name: 'Pay GHS 12.00' }).click()
  await expectVisible(dialog.getByText('GHS 15.00', { exact: true }))
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await writeSetting(shop.db, afaFees.agent, 12, 'test')
})

test('an amount in a line is read as it is written, or its line is named and nothing is bought', async () => {
  const page = await shop.openPage({ as: 'buyer', path: '/app/buy/airtime' })
  await page.getByRole('radio', { name: '5', exact: true }).check()
  await numbers(page).fill('0247000010\n0247000011, 12,50')
  await expectVisible(page.getByText(/^0247000011: Only one size or amount/))
  expect(await page.getByRole('button', { name: 'Correct these lines first' }).isDisabled()).toBe(true)
  await numbers(page).fill('0247000010\n0247000011, 12.50')
  await expectVisible(page.getByRole('button', { name: 'Buy for GHS 17.50' }))
})

test('the forms for bills and AFA say in plain words what is missing', async () => {
  const page = await shop.openPage({ as: 'buyer', path: '/app/buy/afa', colorScheme: 'dark' })
  await page.getByRole('button', { name: 'Register for GHS 12.00' }).click()
  await expectVisible(page.getByText('The person must be 18 or older.'))
  expect(await page.getByLabel('Region').inputValue()).toBe('')
  await expectVisible(page.getByText('Choose the region.'))
  await page.getByLabel('Ghana Card number').fill('123456789 0')
  expect(await page.getByLabel('Ghana Card number').inputValue()).toBe('GHA-123456789-0')
  await expectNoAxeViolations(page)
  await page.getByRole('link', { name: 'Bills' }).click()
  await page.getByRole('radio', { name: 'DSTV' }).check()
  await expectNoAxeViolations(page)
})

test('a viewer sees no Buy, and neither does anybody while the account is suspended', async () => {
  const viewer = await shop.openPage({ as: 'viewer', path: '/app/buy' })
  await expectVisible(viewer.getByText('You cannot buy here'))
  expect(await viewer.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Buy' }).count()).toBe(0)
  const page = await openData(360)
  await numbers(page).fill('0247000004')
  await expectVisible(page.getByText('1 ready'))
  await shop.db.updateTable('accounts').set({ status: 'suspended' }).where('id', '=', shop.accountId).execute()
  try {
    shop.expectFaults(/403/)
    await page.getByRole('button', { name: /^Buy for GHS/ }).click()
    await expectVisible(page.getByRole('alert'))
    expect(await ordersOf('0247000004')).toEqual([])
    await page.reload()
    await expectVisible(page.getByText('You cannot buy here'))
  } finally {
    await shop.db.updateTable('accounts').set({ status: 'active' }).where('id', '=', shop.accountId).execute()
  }
})

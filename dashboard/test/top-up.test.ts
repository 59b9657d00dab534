import { randomBytes } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { transferInstructions } from '../../server/src/money/top-ups/top-ups.settings.ts'
import { setByTwoPeople } from '../../server/test/set-by-two-people.ts'
import { expectNoAxeViolations } from './expect-no-axe-violations.ts'
import { expectVisible } from './expect-visible.ts'
import { setUpShopInBrowser } from './set-up-shop-in-browser.ts'

const shop = setUpShopInBrowser({
  isSimulated: true,
  prepare: ({ db }) => setByTwoPeople(db, transferInstructions, 'MoMo to 024 000 0000.'),
})

/**
 * The payment page of the gateway is the only page of another server that payers are sent to; other such requests are faults.
 */
const openTopUps = async (width: number, as: 'owner' | 'viewer' = 'owner') => {
  shop.expectFaults(/asked http:\/\/127\.0\.0\.1:/)
  return shop.openPage({ width, as, path: '/app/top-up' })
}

/** Chooses GHS 100, looks at the total, and goes to the payment page. */
async function goToPay(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'GHS 100.00', exact: true }).click()
  await page.getByRole('button', { name: 'Pay GHS 101.99' }).click()
  const dialog = page.getByRole('dialog', { name: 'Top up GHS 100.00?' })
  await expectVisible(dialog.getByText('GHS 101.99'))
  await expectVisible(dialog.getByText('GHS 100.00 for your wallet and GHS 1.99 fee.'))
  await dialog.getByRole('button', { name: 'Pay now' }).click()
  await expectVisible(page.getByRole('heading', { name: 'Simulated payment page' }))
}

const choose = async (page: Page, webhook: string) => {
  await page.getByText('What goes wrong').click()
  await page.getByLabel('The webhook').selectOption(webhook)
}
const press = (page: Page, name: RegExp) => page.getByRole('button', { name }).click()
const state = (page: Page, word: string) => page.getByText(word, { exact: true })

/** Lists the amounts of all credited top-ups, in pesewas. */
const credits = async () =>
  (await shop.db.selectFrom('transfers').select('amount').where('kind', '=', 'top_up').execute()).map(({ amount }) => amount)

const balanceAt = async (page: Page) => {
  await page.getByRole('link', { name: 'Back' }).click()
  return page.getByLabel('Balance').innerText()
}

test.each([360, 1280])(
  'the browser comes back first: the page shows the credit, and the receipt, %i pixels wide',
  async (width) => {
    const before = await credits()
    const page = await openTopUps(width)
    await goToPay(page)
    await choose(page, 'lost')
    await press(page, /^Pay GHS/)
    await expectVisible(state(page, 'In your wallet'))
    await expectVisible(page.getByRole('link', { name: 'Buy', exact: true }).last())
    await expectNoAxeViolations(page)
    const downloading = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Receipt (PDF)' }).click()
    expect((await downloading).suggestedFilename()).toMatch(/^receipt-topup-.*\.pdf$/)
    expect(await credits()).toEqual([...before, 10_000])
    expect(await balanceAt(page)).toMatch(/^GHS /)
  },
)

test('the callback comes first, and twice: the list shows one credit when the payer opens it again', async () => {
  const before = await credits()
  const page = await openTopUps(360)
  await goToPay(page)
  await choose(page, 'twice')
  await press(page, /close this page$/)
  await expectVisible(page.getByRole('heading', { name: 'Paid' }))
  await expect.poll(credits).toEqual([...before, 10_000])
  await page.goto('/app/top-up')
  await page
    .getByRole('link', { name: /GHS 100\.00/ })
    .first()
    .click()
  await expectVisible(page.getByRole('heading', { name: 'Top-up', exact: true }))
  await expectVisible(state(page, 'In your wallet'))
  expect(await credits()).toEqual([...before, 10_000])
})

test('a payment that was left, and a forged callback, give nothing; the payer can go on, and approve on the phone', async () => {
  const before = await credits()
  const page = await openTopUps(1280)
  await goToPay(page)
  await press(page, /^Go back without paying/)
  await expectVisible(state(page, 'Not paid yet'))
  await page.getByRole('link', { name: 'Go on paying' }).click()
  await press(page, /forged/)
  await expectVisible(state(page, 'Not paid yet'))
  await expectNoAxeViolations(page)
  expect(await credits()).toEqual(before)
  await page.getByRole('link', { name: 'Go on paying' }).click()
  await press(page, /approve in some seconds/)
  await expectVisible(state(page, 'In your wallet'))
  expect(await credits()).toEqual([...before, 10_000])
})

test('a declined payment says so, and leads back', async () => {
  const page = await openTopUps(360)
  await goToPay(page)
  await press(page, /^Decline/)
  await expectVisible(state(page, 'Failed'))
  await page.getByRole('link', { name: 'Top up again' }).click()
  await expectVisible(page.getByRole('heading', { name: 'Amount' }))
})

/** Chooses GHS 100 by MTN MoMo and has the payment asked for on this phone. */
async function askPhone(page: Page, number: string): Promise<void> {
  await page.getByRole('button', { name: 'GHS 100.00', exact: true }).click()
  await page.getByText('MTN MoMo, approved on your phone').click()
  // The number of the last time is there already.
  await page.getByLabel('MTN number that pays').fill('')
  const pay = page.getByRole('button', { name: 'Pay GHS 101.99' })
  await expectVisible(pay)
  expect(await pay.isDisabled()).toBe(true)
  await page.getByLabel('MTN number that pays').fill(number)
  await pay.click()
  await page.getByRole('dialog', { name: 'Top up GHS 100.00?' }).getByRole('button', { name: 'Ask my phone now' }).click()
  await expectVisible(page.getByRole('heading', { name: 'Top-up', exact: true }))
}

test('a payment whose outcome is unknown is begun once, however often it is sent', async () => {
  shop.expectFaults(/top-ups/)
  const page = await openTopUps(360)
  const begun = async () => (await shop.db.selectFrom('top_ups').select('id').execute()).length
  const before = await begun()
  await page.route('**/app/api/top-ups', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    await route.fetch()
    return route.fulfill({ status: 503, headers: { 'x-error-reason': 'outcome_unknown' }, json: {} })
  })
  await page.getByRole('button', { name: 'GHS 100.00', exact: true }).click()
  const pay = async () => {
    await page.getByRole('button', { name: 'Pay GHS 101.99' }).click()
    await page.getByRole('button', { name: 'Pay now' }).click()
  }
  await pay()
  await expectVisible(page.getByRole('alert'))
  expect(await begun()).toBe(before + 1)
  await page.unroute('**/app/api/top-ups')
  await pay()
  await expectVisible(page.getByRole('heading', { name: 'Simulated payment page' }))
  expect(await begun()).toBe(before + 1)
})

test('a payment that the phone asks for needs a number, waits for it, and is credited once it is approved there', async () => {
  const before = await credits()
  const page = await openTopUps(360)
  // The simulator's payer with this number never answers.
  await askPhone(page, '024 123 0934')
  await expectVisible(page.getByText(/^Approve it on your phone/))
  await expectVisible(page.getByText('024 123 0934', { exact: true }))
  await expectVisible(page.getByText('Approve it on 024 123 0934'))
  expect(await page.getByRole('timer').innerText()).toMatch(/^Open for \d+:\d\d$/)
  await page.getByText('No prompt came?').click()
  await expectVisible(page.getByText(/My Approvals/))
  await expectNoAxeViolations(page)
  await page.getByRole('link', { name: 'Back' }).click()
  await page.getByText('MTN MoMo, approved on your phone').click()
  expect(await page.getByLabel('MTN number that pays').inputValue()).toBe('0241230934')
  await askPhone(page, '+233 24 123 0001')
  await expectVisible(state(page, 'In your wallet'))
  await expectVisible(page.getByText('024 123 0001'))
  expect(await page.getByRole('timer').count()).toBe(0)
  expect(await credits()).toEqual([...before, 10_000])
})

test('an owner has a phone asked when the balance is low, changes it and switches it off; a viewer only sees it', async () => {
  const page = await openTopUps(360)
  await page.getByRole('button', { name: 'Set it up' }).click()
  const dialog = page.getByRole('dialog', { name: 'Set up the automatic top-up?' })
  await dialog.getByLabel('When the balance is below').fill('20')
  await dialog.getByLabel('Into your wallet each time').fill('100')
  await dialog.getByLabel('MTN number that is asked').fill('+233 24 123 0934')
  await expectNoAxeViolations(page)
  await dialog.getByRole('button', { name: 'Switch it on' }).click()
  const chosen = (phone: string) =>
    `When your balance falls below GHS 20.00, ${phone} is asked for GHS 100.00, at most 3 times a day.`
  await expectVisible(page.getByText(chosen('024 123 0934')))
  const viewer = await openTopUps(1280, 'viewer')
  await expectVisible(viewer.getByText(chosen('024 123 0934')))
  expect(await viewer.getByRole('button', { name: 'Switch it off' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Change' }).click()
  await page.getByLabel('MTN number that is asked').fill('024 123 0001')
  await page.getByRole('button', { name: 'Save' }).click()
  await expectVisible(page.getByText(chosen('024 123 0001')))
  await page.getByRole('button', { name: 'Switch it off' }).click()
  await expectVisible(page.getByRole('button', { name: 'Set it up' }))
})

test('a transfer is noted with its picture and waits; a viewer sees it and can begin nothing', async () => {
  shop.expectFaults(/picture/)
  const page = await openTopUps(360)
  await page.getByLabel('What your wallet gets').fill('GHS 1,250.50')
  await page.getByText('A transfer of your own').click()
  await expectVisible(page.getByText('MoMo to 024 000 0000.'))
  await page.getByLabel('Number of the transfer').fill('MP 26112211')
  const picture = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const file = { name: 'receipt.png', mimeType: 'image/png', buffer: Buffer.from(picture, 'base64') }
  await page.getByLabel('Picture of the receipt').setInputFiles(file)
  await expectNoAxeViolations(page)
  await page.getByRole('button', { name: 'Note this transfer' }).click()
  // The operator has not found the money yet.
  expect(await page.getByRole('dialog').innerText()).not.toContain('Balance after')
  // The picture is lost on its way. Sent again, it joins the transfer that was noted.
  await page.route('**/picture', (route) => route.fulfill({ status: 503, json: {} }), { times: 1 })
  await page.getByRole('dialog').getByRole('button', { name: 'Yes, note it' }).click()
  await expectVisible(page.getByRole('alert'))
  await page.getByRole('button', { name: 'Note this transfer' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Yes, note it' }).click()
  await expectVisible(state(page, 'Waits for us'))
  await expectVisible(page.getByRole('img', { name: 'The picture you sent' }))
  const viewer = await openTopUps(360, 'viewer')
  await expectVisible(viewer.getByText('GHS 1,250.50'))
  expect(await viewer.getByRole('heading', { name: 'Amount' }).count()).toBe(0)
})

/** A picture of random colours, which no format makes small: 6 MB as PNG. */
function makeLargePng(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, sum])
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width)
  head.writeUInt32BE(height, 4)
  head.set([8, 2], 8)
  const rows = Array.from({ length: height }, () => Buffer.concat([Buffer.from([0]), randomBytes(3 * width)]))
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

test('a large picture of a receipt is made smaller on the phone before it is sent', async () => {
  const page = await openTopUps(360)
  await page.getByLabel('What your wallet gets').fill('75')
  await page.getByText('A transfer of your own').click()
  await page.getByLabel('Number of the transfer').fill('MP 26112299')
  const buffer = makeLargePng(1_600, 1_200)
  expect(buffer.length).toBeGreaterThan(5_000_000)
  await page.getByLabel('Picture of the receipt').setInputFiles({ name: 'photo.png', mimeType: 'image/png', buffer })
  await page.getByRole('button', { name: 'Note this transfer' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Yes, note it' }).click()
  await expectVisible(page.getByRole('img', { name: 'The picture you sent' }))
  const pictures = await shop.db.selectFrom('top_up_pictures').select(['media_type', 'bytes']).execute()
  const sent = pictures.filter(({ media_type }) => media_type === 'image/jpeg')
  expect(sent).toHaveLength(1)
  expect(sent[0]?.bytes.length).toBeLessThan(1_048_576)
})

test('of two pictures that are chosen one after the other, the second is the one that counts', async () => {
  const page = await openTopUps(360)
  await page.getByLabel('What your wallet gets').fill('76')
  await page.getByText('A transfer of your own').click()
  await page.getByLabel('Number of the transfer').fill('MP 26112300')
  // The first picture cannot be read, which is known only after the second was chosen.
  await page.evaluate('createImageBitmap = () => new Promise((_, reject) => { globalThis.endReading = reject })')
  const pictureOf = (bytes: number) => ({ name: 'photo.png', mimeType: 'image/png', buffer: Buffer.alloc(bytes) })
  await page.getByLabel('Picture of the receipt').setInputFiles(pictureOf(2_000_000))
  await page.getByLabel('Picture of the receipt').setInputFiles(pictureOf(1_000))
  const note = page.getByRole('button', { name: 'Note this transfer' })
  await expect.poll(() => note.isEnabled()).toBe(true)
  await page.evaluate('endReading()')
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))')
  expect(await note.isEnabled()).toBe(true)
  // A picture that was made smaller may have its old name, so the browser tells of it only if the field was emptied.
  const isAsked = page.waitForEvent('filechooser')
  await page.getByLabel('Picture of the receipt').click()
  await isAsked
  expect(await page.getByLabel('Picture of the receipt').inputValue()).toBe('')
})

test('“Back to what you were buying” stands only on the top-up that was made for it', async () => {
  const page = await openTopUps(360)
  await goToPay(page)
  await press(page, /^Pay GHS/)
  await expectVisible(state(page, 'In your wallet'))
  const older = page.url()
  await page.goto('/app/top-up?amount=100&back=/buy/airtime')
  await goToPay(page)
  await press(page, /^Pay GHS/)
  await expectVisible(page.getByRole('link', { name: 'Back to what you were buying' }))
  await page.goto(older)
  await expectVisible(state(page, 'In your wallet'))
  expect(await page.getByRole('link', { name: 'Back to what you were buying' }).count()).toBe(0)
})

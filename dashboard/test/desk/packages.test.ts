import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { readWithinASecond } from '../../../server/test/within-a-second.ts'
import { expectNoAxeViolations } from '../expect-no-axe-violations.ts'
import { expectVisible } from '../expect-visible.ts'
import { setUpShopInBrowser } from '../set-up-shop-in-browser.ts'

const shop = setUpShopInBrowser({ hasStaff: true })
let key: string

beforeAll(async () => {
  key = (await shop.app.makeReseller({ role: 'agent' })).key
})

/** Reads the price that the API shows to a reseller's program, in GHS. */
const priceInApi = async (query: string) => {
  const { body } = await shop.app.call('GET', `/packages?${query}`, { key })
  return body.data.packages[0]?.price
}

const dialog = (page: Page) => page.getByRole('dialog')
const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ has: page.getByRole('button', { name, exact: true }) })

async function openPackage(page: Page, name: string): Promise<void> {
  await page.goto(`${shop.app.url}/desk/packages`)
  await page.getByRole('button', { name, exact: true }).click()
  await expectVisible(page.getByRole('heading', { name }))
}

it('a changed price is shown with what it earns, saved, and charged by the API within a second', async () => {
  const page = await shop.openPage({ as: 'staff catalogue', path: '/desk/packages' })
  await page.getByRole('button', { name: 'MTN 1GB', exact: true }).click()
  await page.getByLabel('Agent price, GHS').fill('5.45')
  await page.getByRole('button', { name: 'See what changes' }).click()
  await expectVisible(dialog(page).getByRole('cell', { name: 'GHS 5.20' }))
  await expectVisible(dialog(page).getByText('earns GHS 4.45'))
  await expectNoAxeViolations(page)
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => dialog(page).count()).toBe(0)
  expect(await readWithinASecond(5.45, () => priceInApi('network=MTN&size_gb=1'))).toBe(5.45)
  await expectVisible(page.getByText('Agent GHS 5.20 → GHS 5.45'))
})

it('many prices are moved at once after a preview, and a loss is named and needs a reason', async () => {
  const page = await shop.openPage({ as: 'staff owner', path: '/desk/packages?network=Telecel' })
  for (const name of ['Telecel 1GB', 'Telecel 2GB']) await rowOf(page, name).getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Change the prices of 2' }).click()
  await page.getByLabel('By', { exact: true }).fill('5')
  await page.getByRole('button', { name: 'See what changes' }).click()
  await expectVisible(dialog(page).getByText('2 packages change'))
  await expectVisible(dialog(page).getByRole('cell', { name: 'GHS 6.10' }))
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => dialog(page).count()).toBe(0)
  // 5.10 and 5 % more is 5.355, which is rounded to 5 pesewas: 5.35.
  expect(await readWithinASecond(5.35, () => priceInApi('network=Telecel&size_gb=1'))).toBe(5.35)

  await page.getByRole('button', { name: 'Change the prices of 2' }).click()
  await page.getByLabel('Direction').selectOption('down')
  await page.getByLabel('By', { exact: true }).fill('90')
  await page.getByRole('button', { name: 'See what changes' }).click()
  await expectVisible(dialog(page).getByText('2 prices would be below what a supplier asks').first())
  expect(await dialog(page).getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
  await dialog(page).getByLabel('Sell below cost all the same').check()
  await dialog(page).getByLabel('Reason').fill('a day of gifts')
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => dialog(page).count()).toBe(0)
  await expectVisible(rowOf(page, 'Telecel 1GB').getByText('Sold at a loss'))
})

it('a price that is scheduled comes into force at its minute, and one that somebody changed since is held', async () => {
  const page = await shop.openPage({ as: 'staff catalogue', path: '/desk/packages' })
  const plan = async (name: string, price: string) => {
    await openPackage(page, name)
    await page.getByLabel('Agent price, GHS').fill(price)
    await page.getByRole('button', { name: 'See what changes' }).click()
    await dialog(page).getByLabel('At a time').check()
    await dialog(page).getByLabel('What it is for').fill(`for ${name}`)
    await dialog(page).getByRole('button', { name: 'Schedule' }).click()
    await expect.poll(() => dialog(page).count()).toBe(0)
  }
  await plan('AT-iShare 1GB', '4.60')
  await plan('AT-iShare 2GB', '9.20')
  await sql`update packages set price_agent = 900 where network = 'AT-iShare' and volume_gb = 2`.execute(shop.db)
  await page.goto(`${shop.app.url}/desk/packages/scheduled`)
  await expectVisible(page.getByText('1 price was changed since: it will be held'))
  expect(await priceInApi('network=AT-iShare&size_gb=1')).toBe(4.4)
  await shop.startWorker()
  // Moves both scheduled changes to the present minute, so that the worker takes them up.
  await sql`update scheduled_price_sets set effective_at = date_trunc('minute', now())`.execute(shop.db)
  await expect.poll(() => priceInApi('network=AT-iShare&size_gb=1')).toBe(4.6)
  await expectVisible(page.getByText('Held for you'))
  await shop.stopWorker()
  await rowOf(page, await page.getByRole('row').filter({ hasText: 'Held for you' }).getByRole('button').innerText())
    .getByRole('button')
    .click()
  await page.getByRole('button', { name: 'Carry out now' }).click()
  await dialog(page).getByLabel('Reason').fill('it was announced')
  await dialog(page).getByRole('button', { name: 'Carry out now' }).click()
  await expect.poll(() => priceInApi('network=AT-iShare&size_gb=2')).toBe(9.2)
})

it('a price list goes out as a file, and one comes in after its differences were shown', async () => {
  const page = await shop.openPage({ as: 'staff catalogue', path: '/desk/packages' })
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Download CSV' }).click()])
  const text = await readFile(await download.path(), 'utf8')
  const [header = '', ...lines] = text.split('\r\n')
  const line = lines.find((each) => each.startsWith('AT-BigTime,1,')) ?? ''
  const changed = [header, line.replace(',4.20,', ',4.25,')].join('\n')
  const choose = async (file: string) => {
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Import CSV' }).click(),
    ])
    // A file that was corrected has its old name, so the browser tells of it only if the field was emptied.
    expect(await chooser.element().inputValue()).toBe('')
    await chooser.setFiles({ name: 'prices.csv', mimeType: 'text/csv', buffer: Buffer.from(file) })
  }
  await choose('network,volume_gb\nMTN,1\n')
  await expectVisible(dialog(page).getByText('the column price_customer is missing'))
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  await choose(changed)
  await expectVisible(dialog(page).getByRole('cell', { name: 'GHS 4.20' }))
  expect(await priceInApi('network=AT-BigTime&size_gb=1')).toBe(4.2)
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => dialog(page).count()).toBe(0)
  expect(await readWithinASecond(4.25, () => priceInApi('network=AT-BigTime&size_gb=1'))).toBe(4.25)
})

it('a thousand packages are drawn and scrolled, and who may not change them sees no button for it', async () => {
  await sql`
    insert into packages (id, network, volume_gb, price_customer, price_agent, price_dealer)
    select gen_random_uuid(), 'MTN', 100 + number, 60000, 55000, 50000 from generate_series(1, 1000) as number`.execute(shop.db)
  const page = await shop.openPage({ as: 'staff auditor', path: '/desk/packages' })
  await expect.poll(() => page.getByRole('row').count()).toBeGreaterThan(1_000)
  await page.getByRole('row').last().scrollIntoViewIfNeeded()
  await expectVisible(page.getByRole('button', { name: 'AT-BigTime 20GB', exact: true }))
  for (const name of ['Change prices', 'Add a package', 'Import CSV']) {
    expect(await page.getByRole('button', { name }).count()).toBe(0)
  }
})

it('a prefix gets another network, and a number is noted as carried', async () => {
  const page = await shop.openPage({ as: 'staff catalogue', path: '/desk/numbers' })
  await page.getByRole('button', { name: 'Change 020' }).click()
  await dialog(page).getByLabel('MTN').check()
  await expectVisible(dialog(page).getByText('Telecel → Telecel, MTN'))
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  await expectVisible(page.getByRole('row', { name: /020.*MTN, Telecel/ }))
  await page.getByRole('button', { name: 'Note a number' }).click()
  await dialog(page).getByLabel('Number').fill('+233 24 700 0001')
  await dialog(page).getByLabel('Operator').selectOption('Telecel')
  await dialog(page).getByRole('button', { name: 'Note a number' }).click()
  await page.getByLabel('Begins with').fill('0247')
  await expectVisible(page.getByRole('row', { name: /024 700 0001.*Telecel/ }))
})

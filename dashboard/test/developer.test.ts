import type { Page } from 'playwright-core'
import { expect, test, vi } from 'vitest'
import { approveKey } from '../../server/src/accounts/approve-key.ts'
import { declineBusinessRequest } from '../../server/src/accounts/business/decide-business-request.ts'
import { inTransaction } from '../../server/src/platform/database/in-transaction.ts'
import { newId } from '../../server/src/platform/database/new-id.ts'
import { patienceSeconds } from '../../server/test/patience.ts'
import { expectNoAxeViolations } from './expect-no-axe-violations.ts'
import { expectVisible } from './expect-visible.ts'
import { setUpShopInBrowser } from './set-up-shop-in-browser.ts'

const shop = setUpShopInBrowser({ team: { isPolicyAccepted: false, isBusiness: false } })
/** The first test makes this key; the other tests use it. */
let key = ''

const card = (page: Page, name: string) => page.getByRole('region', { name })
const open = async (page: Page, path: string) => {
  await page.goto(`${shop.app.url}/app${path}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
}
/** Calls the API with the key, and waits until the request log has the call. */
async function call(method: string, path: string, body?: unknown): Promise<number> {
  await shop.app.untilSeen()
  const requestId = `test-${newId()}`
  const { status } = await shop.app.call(method, path, {
    key,
    ...(body !== undefined && { body }),
    headers: { 'x-request-id': requestId },
  })
  const logged = shop.db.selectFrom('request_log').select('id').where('request_id', '=', requestId)
  await vi.waitFor(() => logged.executeTakeFirstOrThrow(), { timeout: patienceSeconds * 1_000, interval: 100 })
  return status
}
const approve = async () => {
  const [pending] = await shop.db.selectFrom('api_keys').select('id').where('status', '=', 'pending').execute()
  await inTransaction(shop.db, (tx) => approveKey(tx, { keyId: pending?.id ?? '', actor: 'test' }))
}

test('from the policy to the first purchase: accepted, key pending, approved, bought, in the request log', async () => {
  const page = await shop.openPage({ as: 'owner', width: 360 })
  await open(page, '/developer')
  await card(page, 'Standard key').getByRole('link', { name: 'Read and accept the policy' }).click()
  await page.getByRole('button', { name: 'Accept for my account' }).waitFor()
  await expectNoAxeViolations(page)
  await page.getByRole('button', { name: 'Accept for my account' }).click()
  await page.getByRole('link', { name: 'Back to the keys' }).click()
  await card(page, 'Standard key').getByRole('link', { name: 'Make a key' }).click()
  await page.getByRole('button', { name: 'Make a key' }).click()
  const made = page.getByRole('status', { name: 'Your key' })
  key = (await made.innerText()).trim()
  expect(key).toMatch(/^makola_live_\w{36}$/)
  await expectNoAxeViolations(page)
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download' }).click()
  expect((await downloading).suggestedFilename()).toBe('makola-standard-key.txt')
  await page.getByRole('button', { name: 'I have kept it' }).click()
  await expectVisible(card(page, 'Standard key').getByText('We must approve it'))
  expect(await page.content()).not.toContain(key)
  expect(await call('GET', '/wallet/balance')).toBe(403)
  await approve()
  await page.reload()
  await expectVisible(card(page, 'Standard key').getByText('Works', { exact: true }))
  const order = { network: 'MTN', volume_gb: 1, recipient: '0241234567', reference: 'first-call' }
  expect(await call('POST', '/data/purchase', order)).toBe(200)
  await open(page, '/requests')
  await expectVisible(page.getByText('We must approve the key.'))
  await page.getByRole('link', { name: /POST \/data\/purchase/ }).click()
  await expectVisible(page.getByText('200 Accepted'))
  await expectVisible(page.getByRole('link', { name: 'Open the order' }))
  expect(await page.getByRole('main').innerText()).toContain('YOUR_KEY')
  await expectNoAxeViolations(page)
})

test('a key is changed without a gap, and the old one works on until its owner ends it', async () => {
  const page = await shop.openPage({ as: 'owner', width: 360 })
  await open(page, '/developer/new/standard')
  await expectNoAxeViolations(page)
  await page.getByRole('button', { name: 'Make a new key' }).click()
  const next = (await page.getByRole('status', { name: 'Your key' }).innerText()).trim()
  expect(await call('GET', '/wallet/balance')).toBe(200)
  await open(page, '/developer/keys/standard')
  await expectVisible(page.getByText(`Old key …${key.slice(-4)}`))
  await expectNoAxeViolations(page)
  await page.getByRole('button', { name: 'End the old key now' }).click()
  await page.getByRole('button', { name: 'Revoke for good' }).click()
  await page.getByText(`Old key …${key.slice(-4)}`).waitFor({ state: 'detached' })
  expect(await call('GET', '/wallet/balance')).toBe(403)
  key = next
  expect(await call('GET', '/wallet/balance')).toBe(200)
})

test('a new key takes the place of the old one at once only after the end of the old one was typed', async () => {
  const page = await shop.openPage({ as: 'owner', width: 1280 })
  await open(page, '/developer/new/standard')
  const make = page.getByRole('button', { name: 'Make a new key' })
  await page.getByLabel('At once').check()
  await expectVisible(page.getByText('The old key stops working at once'))
  expect(await make.isDisabled()).toBe(true)
  await page.getByRole('textbox').fill(key.slice(-4))
  await expectNoAxeViolations(page)
  await make.click()
  const next = (await page.getByRole('status', { name: 'Your key' }).innerText()).trim()
  expect(await call('GET', '/wallet/balance')).toBe(403)
  key = next
  await approve()
  expect(await call('GET', '/wallet/balance')).toBe(200)
})

test('a key is limited to addresses, with a warning when one’s own is left out, and revoked', async () => {
  const page = await shop.openPage({ as: 'owner', width: 1280 })
  await open(page, '/developer/keys/standard')
  const addresses = page.getByLabel('The key may be used from')
  await addresses.fill('203.0.113.9/24')
  await page.getByRole('button', { name: 'Save the addresses' }).click()
  await expectVisible(page.getByText('Your own address is not among them'))
  expect(await addresses.inputValue()).toBe('203.0.113.0/24')
  await expectNoAxeViolations(page)
  expect(await call('GET', '/wallet/balance')).toBe(403)
  await page.getByRole('button', { name: 'Add my address' }).click()
  const saved = page.waitForResponse(/\/addresses$/)
  await page.getByRole('button', { name: 'Save the addresses' }).click()
  await saved
  await page.getByText('Your own address is not among them').waitFor({ state: 'detached' })
  expect(await call('GET', '/wallet/balance')).toBe(200)
  await page.getByRole('button', { name: 'Revoke this key' }).click()
  await page.getByRole('button', { name: 'Revoke for good' }).click()
  await expectVisible(card(page, 'Standard key').getByText('None yet'))
  expect(await call('GET', '/wallet/balance')).toBe(403)
})

test('the request log is filtered by answer and reference, and the filter stands in the address', async () => {
  const page = await shop.openPage({ as: 'viewer', width: 1280 })
  await open(page, '/requests')
  const rows = page.getByRole('list', { name: 'Requests' }).getByRole('listitem')
  await page.getByLabel('Reference').fill('first-call')
  await page.locator('main').getByRole('button', { name: 'Find' }).click()
  await vi.waitFor(async () => expect(await rows.count()).toBe(1), { timeout: patienceSeconds * 1_000 })
  await page.reload()
  await vi.waitFor(async () => expect(await rows.count()).toBe(1), { timeout: patienceSeconds * 1_000 })
  await page.getByLabel('Answer').selectOption('4xx')
  await expectVisible(page.getByText('No request fits these filters'))
  await page.getByRole('button', { name: 'Clear the filters' }).click()
  await vi.waitFor(async () => expect(await rows.count()).toBeGreaterThan(3), { timeout: patienceSeconds * 1_000 })
  await expectNoAxeViolations(page)
})

test('a business asks for its approval, reads why it was declined, and asks again', async () => {
  const page = await shop.openPage({ as: 'owner', width: 360 })
  await open(page, '/business')
  await page.getByLabel('Business name').fill('Adom Ventures')
  await page.getByLabel('Registration number').fill('BN123456789')
  await page.getByLabel('What the SMS are for').fill('Receipts for our customers')
  await expectNoAxeViolations(page)
  await page.getByRole('button', { name: 'Ask for the approval' }).click()
  await expectVisible(page.getByText('We check it'))
  const { accountId } = shop
  await inTransaction(shop.db, (tx) => declineBusinessRequest(tx, { accountId, reason: 'Send the certificate.', actor: 'test' }))
  await page.reload()
  await expectVisible(page.getByText('Send the certificate.'))
  await page.getByRole('button', { name: 'Ask again' }).click()
  await expectVisible(page.getByText('We check it'))
})

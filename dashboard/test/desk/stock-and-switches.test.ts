import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { applicant } from '../../../server/test/applicant.ts'
import { makeKeyFor } from '../../../server/test/make-account.ts'
import { patienceSeconds } from '../../../server/test/patience.ts'
import { expectNoAxeViolations } from '../expect-no-axe-violations.ts'
import { expectVisible } from '../expect-visible.ts'
import { setUpShopInBrowser } from '../set-up-shop-in-browser.ts'

const shop = setUpShopInBrowser({ hasStaff: true, isSimulated: true })
const patience = { timeout: patienceSeconds * 1_000 }

const dialogOf = (page: Page) => page.getByRole('dialog')
const panelOf = (page: Page) => page.getByRole('complementary')

/** Presses the button of an action, fills in the reason if one is given, and confirms in the dialog. */
async function act(page: Page, label: string, reason: string | undefined, action = label): Promise<void> {
  const reasonField = dialogOf(page).getByLabel(/Reason|Receipt/)
  await page.getByRole('button', { name: label, exact: true }).first().click()
  if (reason !== undefined) await reasonField.fill(reason)
  await dialogOf(page).getByRole('button', { name: action, exact: true }).click()
  await dialogOf(page).waitFor({ state: 'detached' })
}

/** Makes a temporary setting due to return to its old value, as if its time were over. */
const passTime = (name: string) =>
  sql`update setting_returns set returns_at = clock_timestamp() where name = ${name} and ended_at is null`.execute(shop.db)

async function switchOver(page: Page, title: string, label: string, reason: string): Promise<void> {
  await page.getByRole('button', { name: title, exact: true }).click()
  await panelOf(page).getByRole('button', { name: label, exact: true }).click()
  await dialogOf(page).getByLabel('For how long').selectOption('15 minutes')
  await dialogOf(page).getByLabel('Reason').fill(reason)
  await expectNoAxeViolations(page)
  await dialogOf(page).getByRole('button', { name: label, exact: true }).click()
  await dialogOf(page).waitFor({ state: 'detached' })
}

test('a biller and the MTN gate are switched for a time; the API obeys, and both return by themselves', async () => {
  const { accountId, key } = await shop.app.makeReseller()
  const bills = await makeKeyFor(shop.db, accountId, 'commission')
  const isEcgOn = async () => {
    const { billers } = (await shop.app.call('GET', '/utilities/billers', { key: bills })).body.data
    return billers.find((biller: { key: string }) => biller.key === 'ecg').enabled
  }
  let orders = 0
  const buy = async () => {
    orders += 1
    const body = { network: 'MTN', volume_gb: 1, recipient: '0241234917', reference: `gate-${orders}` }
    return (await shop.app.call('POST', '/data/purchase', { key, body })).status
  }
  expect([await isEcgOn(), await buy()]).toEqual([true, 200])

  const page = await shop.openPage({ as: 'staff owner', path: '/desk/switches' })
  await switchOver(page, 'ECG', 'Switch off', 'ECG is away')
  await expectVisible(panelOf(page).getByRole('timer'))
  await expectVisible(panelOf(page).getByText('ECG is away').first())
  await expect.poll(isEcgOn, patience).toBe(false)
  await switchOver(page, 'MTN gate: refuse numbers that are not registered', 'Switch on', 'MTN asks for it')
  await expect.poll(buy, patience).toBe(409)

  await shop.startWorker()
  await passTime('biller_enabled.ecg')
  await passTime('whitelist_gate')
  await expect.poll(isEcgOn, patience).toBe(true)
  await expect.poll(buy, patience).toBe(200)
  await expectVisible(panelOf(page).getByText('by itself').first())
  const { rows } = await sql`select from operator_log where action = 'setting return'`.execute(shop.db)
  expect(rows).toHaveLength(2)
})

test('a setting says in its own words why it refuses a value', async () => {
  const page = await shop.openPage({ as: 'staff owner', path: '/desk/switches?setting=queued_deadline_days' })
  await panelOf(page).getByRole('button', { name: 'Change', exact: true }).click()
  await dialogOf(page).getByLabel('New value (days)').fill('0')
  await dialogOf(page).getByLabel('Reason').fill('too long')
  await dialogOf(page).getByRole('button', { name: 'Change', exact: true }).click()
  await expectVisible(dialogOf(page).getByText('must be a whole number of days from 1 to 365'))
  const auditor = await shop.openPage({ as: 'staff auditor', path: '/desk/switches?setting=queued_deadline_days' })
  await expectVisible(panelOf(auditor).getByText('7 days').first())
  expect(await panelOf(auditor).getByRole('button', { name: 'Change' }).count()).toBe(0)
})

test.each([360, 1280])('vouchers are checked, imported and end the low stock, %i pixels wide', async (width) => {
  const name = `WASSCE ${width}`
  const page = await shop.openPage({ as: 'staff catalogue', path: '/desk/vouchers', width })
  await page.getByRole('button', { name: 'New type' }).click()
  await dialogOf(page).getByLabel('Name').fill(name)
  for (const role of ['customers', 'agents', 'dealers']) await dialogOf(page).getByLabel(`Price for ${role} (GHS)`).fill('17.50')
  await dialogOf(page).getByLabel('Alarm when fewer').fill('2')
  await dialogOf(page).getByRole('button', { name: 'Make it' }).click()
  await page.getByRole('button', { name, exact: true }).click()
  await expectVisible(panelOf(page).getByText('Low', { exact: true }))
  const isAlarmOpen = async () => {
    const { rows } = await sql`select from alarms where subject = ${name} and cleared_at is null`.execute(shop.db)
    return rows.length === 1
  }
  expect(await isAlarmOpen()).toBe(true)

  const choose = (text: string) =>
    panelOf(page)
      .getByLabel('File of vouchers')
      .setInputFiles({ name: 'june.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
  await choose('pin,serial\nP1,S1\n,S2\n')
  await expectVisible(panelOf(page).getByText('Line 3: the PIN is missing'))
  await choose(`pin,serial\nP1-${width},S1-${width}-0001\nP2-${width},S2-${width}-0002\nP1-${width},S1-${width}-0001\n`)
  await expectVisible(panelOf(page).getByText('2 new vouchers'))
  await expectVisible(panelOf(page).getByText('line 4'))
  await expectNoAxeViolations(page)
  await panelOf(page).getByLabel('What each voucher cost you').fill('15.255')
  await panelOf(page).getByRole('button', { name: 'Import 2 vouchers' }).click()
  await expectVisible(panelOf(page).getByText('2 vouchers were imported.'))
  await expectVisible(panelOf(page).getByText('On sale', { exact: true }))
  await expectVisible(panelOf(page).getByText('2 of 2 left'))
  const { rows } = await sql<{ pesewas: string }>`
    select pesewas::float8::text as pesewas from unit_costs join voucher_batches on voucher_batches.id::text = unit_costs.key
    join voucher_types on voucher_types.id = type_id where name = ${name}`.execute(shop.db)
  expect(rows).toEqual([{ pesewas: '1525.5' }])
  expect(await isAlarmOpen()).toBe(false)
})

test('one PIN is shown to whoever says why, and hidden again', async () => {
  const page = await shop.openPage({ as: 'staff catalogue', path: '/desk/vouchers?find=S1-1280-0001' })
  await act(page, 'Show PIN', 'the printer failed')
  await expectVisible(page.getByText('P1-1280', { exact: true }))
  await page.getByRole('button', { name: 'Hide now' }).click()
  await expectVisible(page.getByRole('button', { name: 'Show PIN' }))
  const { rows } = await sql<{ details: object }>`select details from operator_log where action = 'voucher reveal'`.execute(
    shop.db,
  )
  expect(JSON.stringify(rows)).toContain('the printer failed')
  expect(JSON.stringify(rows)).not.toContain('P1-1280')
})

test('an AFA registration is claimed and completed with its receipt, another one is cancelled and its fee goes back', async () => {
  const { accountId, key } = await shop.app.makeReseller()
  for (const [index, full_name] of ['Efua Owusu', 'Yaw Darko'].entries()) {
    const body = { ...applicant, full_name, reference: `afa-desk-${index}` }
    expect((await shop.app.call('POST', '/afa/register', { key, body })).status).toBe(200)
  }
  const balance = async () => (await shop.app.call('GET', '/wallet/balance', { key })).body.data.balance as number
  const before = await balance()
  const page = await shop.openPage({ as: 'staff support', path: '/desk/afa' })
  await expectVisible(page.getByText('Waiting').first())
  await page.getByRole('button', { name: 'Efua Owusu' }).click()
  await expectVisible(panelOf(page).getByText('GHA-*******89-0'))
  await expectNoAxeViolations(page)
  await act(page, 'Claim', undefined)
  await act(page, 'Show the data', 'to fill in the form')
  await expectVisible(panelOf(page).getByText('GHA-123456789-0'))

  const other = await shop.openPage({ as: 'staff finance', path: '/desk/afa' })
  await other.getByRole('button', { name: 'Efua Owusu' }).click()
  await expectVisible(panelOf(other).getByText('support@desk.test works on it'))
  expect(await panelOf(other).getByRole('button', { name: 'Complete' }).count()).toBe(0)

  await act(page, 'Complete', 'form 4711', 'Yes, completed')
  await expectVisible(panelOf(page).getByText('Completed'))
  await panelOf(page).getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: 'Yaw Darko' }).click()
  await panelOf(page).getByRole('button', { name: 'Cancel it' }).click()
  await expectVisible(dialogOf(page).getByText('GHS 12.00 goes back to the wallet of'))
  await dialogOf(page).getByLabel('Reason').fill('no such card')
  await dialogOf(page).getByRole('button', { name: 'Cancel it' }).click()
  await expectVisible(panelOf(page).getByText('Cancelled'))
  expect(await balance()).toBe(before + 12)
  const { rows } = await sql<{ status: string }>`
    select status from orders where account_id = ${accountId} order by id`.execute(shop.db)
  expect(rows.map(({ status }) => status)).toEqual(['completed', 'cancelled'])
})

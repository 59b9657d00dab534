import type { Page } from 'playwright-core'
import { expect, test, vi } from 'vitest'
import { requestBusinessApproval } from '../../../server/src/accounts/business/request-business-approval.ts'
import { createKey } from '../../../server/src/accounts/create-key.ts'
import { creditLimitOnePerson } from '../../../server/src/money/money.settings.ts'
import { pesewas } from '../../../server/src/money/pesewas.ts'
import { recordReportedTransfer } from '../../../server/src/money/top-ups/record-reported-transfer.ts'
import { inTransaction } from '../../../server/src/platform/database/in-transaction.ts'
import { newId } from '../../../server/src/platform/database/new-id.ts'
import { writeSetting } from '../../../server/src/platform/settings/settings.ts'
import { makeTotpCode } from '../../../server/test/make-totp-code.ts'
import { patienceSeconds } from '../../../server/test/patience.ts'
import { expectNoAxeViolations } from '../expect-no-axe-violations.ts'
import { expectVisible } from '../expect-visible.ts'
import { passwordOfAll } from '../make-team.ts'
import { setUpShopInBrowser } from '../set-up-shop-in-browser.ts'

const shop = setUpShopInBrowser({ hasStaff: true, team: { isBusiness: false } })

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
/** The panel beside a list. */
const panel = (page: Page) => page.getByRole('complementary')

/** Opens the audit log with the lines of one action only, and then its newest line. */
async function openLine(page: Page, action: string): Promise<void> {
  await page.goto(`/desk/log?action=${encodeURIComponent(action)}`)
  await page.getByRole('table', { name: 'Audit log' }).getByRole('button').first().click()
}

test('an owner invites somebody for support, who signs in with a second factor and is shown no staff and no log', async () => {
  const email = 'akosua@example.test'
  const owner = await shop.openPage({ as: 'staff owner', path: '/desk/staff' })
  await press(owner, 'Invite')
  const dialog = owner.getByRole('dialog', { name: 'Let somebody in at the desk?' })
  await dialog.getByLabel('E-mail').fill(email)
  await dialog.getByLabel('Role').selectOption('Support')
  await expectNoAxeViolations(owner)
  await press(owner, 'Send the invitation')
  await expectVisible(owner.getByText(`An invitation is on its way to ${email}.`))
  await expectVisible(owner.getByText('Until a second person confirms the role, this person only looks.'))
  const role = await shop.db.selectFrom('approvals').select('id').where('kind', '=', 'staff set-role').executeTakeFirstOrThrow()
  const second = await shop.openPage({ as: 'staff second owner', path: `/desk/approvals/${role.id}` })
  await press(second, 'Confirm')
  await second.getByRole('dialog', { name: 'Confirm and do it now?' }).getByRole('button', { name: 'Confirm' }).click()
  await expectVisible(panel(second).getByText('Confirmed', { exact: true }))

  const akosua = await shop.openPage({ path: `/desk/set-password#token=${await shop.tokenFor(email)}`, width: 1280 })
  await akosua.getByRole('textbox', { name: 'New password' }).fill(passwordOfAll)
  await press(akosua, 'Save the password')
  await akosua.getByRole('link', { name: 'Go to the sign-in' }).click()
  const signIn = async () => {
    await akosua.getByLabel('E-mail').fill(email)
    await akosua.getByRole('textbox', { name: 'Password' }).fill(passwordOfAll)
    await press(akosua, 'Sign in')
  }
  await signIn()
  await expectVisible(akosua.getByRole('navigation', { name: 'Screens' }))
  await akosua.goto('/desk/you')
  await akosua.getByRole('textbox', { name: 'Password', exact: true }).first().fill(passwordOfAll)
  await press(akosua, 'Switch on')
  const totpUri = (await akosua.getByRole('link', { name: 'Open in the app' }).getAttribute('href')) ?? ''
  await akosua.getByLabel('Code that the app shows now').fill(makeTotpCode(totpUri))
  await press(akosua, 'Switch on')
  await press(akosua, 'I have kept them')
  await press(akosua, 'Sign out')
  await signIn()
  await shop.db.updateTable('person_two_factors').set({ last_code_step: null }).execute()
  await akosua.getByLabel('Code').fill(makeTotpCode(totpUri))
  await akosua.getByRole('button', { name: /^(Go on|Sign in)$/ }).click()
  await expectVisible(akosua.getByRole('link', { name: 'Keys', exact: true }))
  for (const name of ['Staff', 'Audit log']) expect(await akosua.getByRole('link', { name, exact: true }).count()).toBe(0)

  await owner.getByRole('button', { name: email }).click()
  await expectVisible(panel(owner).getByText('Second factor: codes'))
  await expectVisible(owner.getByRole('table', { name: 'Who may do what' }))
  await press(owner, 'Reset second factor')
  await owner.getByRole('dialog').getByLabel('Why, and how you know who asks').fill('lost the phone, called back')
  await owner.getByRole('dialog').getByRole('button', { name: 'Reset second factor' }).click()
  await expectVisible(panel(owner).getByText('Second factor: Missing'))
  expect((await shop.mailsTo(email))[0]?.subject).toBe('Your second factor was switched off')
})

test('support lets a key in, and the reseller’s program gets an answer with it', async () => {
  const wish = { accountId: shop.accountId, type: 'standard', isPending: true, prefix: 'makola', actor: 'test' } as const
  const { key } = await inTransaction(shop.db, (tx) => createKey(tx, wish))
  await shop.app.untilSeen()
  const balance = async () => (await shop.app.call('GET', '/wallet/balance', { key })).status
  expect(await balance()).toBe(403)
  const page = await shop.openPage({ as: 'staff support', path: '/desk/keys' })
  await page.getByRole('button', { name: 'Adom Ventures' }).click()
  await expectNoAxeViolations(page)
  await press(page, 'Approve')
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  await expectVisible(panel(page).getByText('Working', { exact: true }))
  await vi.waitFor(async () => expect(await balance()).toBe(200), { timeout: patienceSeconds * 1_000, interval: 100 })
})

test('a business is approved with what it asks for in sight', async () => {
  const details = { name: 'Adom Ventures Ltd', registrationNumber: 'CS-1042', purpose: 'Receipts for our buyers' }
  await inTransaction(shop.db, (tx) => requestBusinessApproval(tx, { accountId: shop.accountId, ...details, actor: 'test' }))
  const page = await shop.openPage({ as: 'staff support', path: '/desk/business', width: 360 })
  await page.getByRole('button', { name: 'Adom Ventures Ltd' }).click()
  await expectVisible(panel(page).getByText('Receipts for our buyers'))
  await press(page, 'Approve')
  await page
    .getByRole('dialog', { name: 'Approve Adom Ventures Ltd as a business?' })
    .getByRole('button', { name: 'Approve' })
    .click()
  await expectVisible(panel(page).getByText('Approved', { exact: true }))
  await press(page, 'Close')
  await expectVisible(page.getByText('No business waits for you'))
})

test('a transfer above the limit takes two people; the same person is refused in another session', async () => {
  await writeSetting(shop.db, creditLimitOnePerson, 10, 'test')
  await shop.app.untilSeen()
  const wish = { accountId: shop.accountId, pageReference: newId(), amount: pesewas(250_000), note: undefined, madeBy: 'test' }
  await inTransaction(shop.db, (tx) => recordReportedTransfer(tx, { ...wish, transferReference: 'MP240611.1042' }))

  const first = await shop.openPage({ as: 'staff finance', path: '/desk/top-ups' })
  await first.getByRole('button', { name: 'Adom Ventures' }).click()
  await press(first, 'The money is there')
  const asked = first.getByRole('dialog', { name: 'Credit Adom Ventures?' })
  await expectVisible(asked.getByText('GHS 2,500.00'))
  await expectNoAxeViolations(first)
  await asked.getByRole('button', { name: 'Propose' }).click()
  await expectVisible(panel(first).getByText('You said that the money is there.', { exact: false }))

  const again = await shop.openPage({ as: 'staff finance', path: '/desk/approvals' })
  await again.getByRole('button', { name: /^Credit a transfer of GHS 2,500.00/ }).click()
  await expectVisible(panel(again).getByText('You proposed it, so somebody else confirms it.', { exact: false }))
  await expectVisible(again.getByRole('button', { name: 'Withdraw' }))
  expect(await again.getByRole('button', { name: 'Confirm', exact: true }).count()).toBe(0)
  const path = new URL(again.url()).pathname.split('/').at(-1) ?? ''
  shop.expectFaults(/409/)
  const forced = await again.request.post(`${shop.app.url}/desk/api/approvals/${path}/confirm`, {
    headers: { origin: shop.app.url },
  })
  expect([forced.status(), forced.headers()['x-error-reason']]).toEqual([409, 'not_possible'])

  const second = await shop.openPage({ as: 'staff owner', path: '/desk/approvals' })
  await second.getByRole('button', { name: /^Credit a transfer of GHS 2,500.00/ }).click()
  await expectVisible(panel(second).getByText('GHS 3,500.00'))
  await expectNoAxeViolations(second)
  await press(second, 'Confirm')
  await second.getByRole('dialog', { name: 'Confirm and do it now?' }).getByRole('button', { name: 'Confirm' }).click()
  await expectVisible(panel(second).getByText('Confirmed', { exact: true }))
  await expectVisible(panel(first).getByText('Credited', { exact: true }))
})

test('the audit log shows who did it, from where, before and after, and that it is sealed', async () => {
  const page = await shop.openPage({ as: 'staff auditor', path: '/desk/log' })
  await openLine(page, 'key approve')
  await expectVisible(panel(page).getByRole('row', { name: 'status pending active' }))
  await expectVisible(panel(page).getByRole('heading', { name: /^support@desk\.test approved the .* key …/ }))
  await expectVisible(panel(page).getByText('127.0.0.1'))
  await expectNoAxeViolations(page)
  await openLine(page, 'top-up confirm confirm')
  await expectVisible(panel(page).getByRole('row', { name: 'Value GHS 1,000.00 GHS 3,500.00' }))
  await expectVisible(panel(page).getByText('finance@desk.test', { exact: true }))
  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: 'CSV' }).click()
  expect((await downloading).suggestedFilename()).toBe('audit-log.csv')
  await expectVisible(heading(page, 'Audit log'))
})

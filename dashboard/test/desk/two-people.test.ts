import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectNoAxeViolations } from '../expect-no-axe-violations.ts'
import { expectVisible } from '../expect-visible.ts'
import { setUpShopInBrowser } from '../set-up-shop-in-browser.ts'

const shop = setUpShopInBrowser({ hasStaff: true })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

async function correct(page: Page, reason: string): Promise<void> {
  await button(page, 'Correct a wallet').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Amount in GHS').fill('7.77')
  await dialog.getByLabel('Reason').fill(reason)
  await button(page, 'Propose it').click()
  await dialog.waitFor({ state: 'hidden' })
}

test.each([360, 1280])('an equal correction that waits is shown and asked about, %i pixels wide', async (width) => {
  await shop.db.deleteFrom('rate_limits').execute()
  const first = await shop.openPage({ as: 'staff owner', path: `/desk/accounts/${shop.accountId}/all`, width })
  await correct(first, `typed twice on Monday, ${width}`)
  await expectVisible(first.getByText('You proposed it, so somebody else confirms it.'))
  const second = await shop.openPage({ as: 'staff finance', path: `/desk/accounts/${shop.accountId}/all`, width })
  await correct(second, `typed twice on Friday, ${width}`)
  await expectVisible(second.getByText('The same waits already. Is it the one that you mean?'))
  await expectVisible(button(second, 'Confirm that one'))
  await expectNoAxeViolations(second)
  await button(second, 'Propose another').click()
  await expectVisible(second.getByText('You proposed it, so somebody else confirms it.'))
  const waiting = await shop.db.selectFrom('approvals').select('id').where('state', '=', 'pending').execute()
  expect(waiting).toHaveLength(2)
  for (const { id } of waiting) {
    const page = await shop.openPage({ as: 'staff second owner', path: `/desk/approvals/${id}`, width })
    await button(page, 'Confirm').click()
    await page.getByRole('dialog', { name: 'Confirm and do it now?' }).getByRole('button', { name: 'Confirm' }).click()
    await expectVisible(page.getByRole('complementary').getByText('Confirmed', { exact: true }))
  }
})

test('a setting that guards money says that it takes two people, and shows the loosening that waits', async () => {
  const page = await shop.openPage({ as: 'staff owner', path: '/desk/switches?setting=single_operator' })
  await expectVisible(page.getByText('This guards money or rights.', { exact: false }))
  await button(page, 'Switch on').click()
  await page.getByRole('dialog').getByLabel('Reason').fill('alone this week')
  await page.getByRole('dialog').getByRole('button', { name: 'Switch on', exact: true }).click()
  await expectVisible(page.getByText('proposed: false → true', { exact: false }))
  await expectNoAxeViolations(page)
  await page.getByRole('link', { name: 'See the proposal' }).click()
  await expectVisible(page.getByText('Set single_operator to true', { exact: false }).first())
})

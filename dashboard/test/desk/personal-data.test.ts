import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { placeTestOrders } from '../../../server/src/orders/intake/place-test-orders.fixture.ts'
import { expectNoAxeViolations } from '../expect-no-axe-violations.ts'
import { expectVisible } from '../expect-visible.ts'
import { setUpShopInBrowser } from '../set-up-shop-in-browser.ts'

const shop = setUpShopInBrowser({ hasStaff: true, isSimulated: true })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

async function ask(page: Page, name: string, number: string): Promise<void> {
  await button(page, name).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Number or e-mail').fill(number)
  await dialog.getByLabel('Reason').fill('letter of 3 May')
  await expectNoAxeViolations(page)
  await dialog.getByRole('button', { name, exact: true }).click()
  await dialog.waitFor({ state: 'hidden' })
}

test.each([
  { width: 360, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
] as const)(
  'an owner sees what is kept about a number and has it erased with a second one, %o',
  async ({ width, colorScheme }) => {
    await shop.db.deleteFrom('rate_limits').execute()
    const number = `024123${width}0`.padEnd(10, '0').slice(0, 10)
    const masked = `024*****${number.slice(-2)}`
    await placeTestOrders(shop.db, shop.accountId, [number])
    const page = await shop.openPage({ as: 'staff owner', path: '/desk/switches', width, colorScheme })
    await page.getByRole('link', { name: 'Personal data' }).click()
    await ask(page, 'See what is kept', number)
    await expectVisible(page.getByText(`What is kept about ${masked}`))
    await expectVisible(page.getByText('Orders: 1', { exact: true }))
    const download = page.waitForEvent('download')
    await button(page, 'Download for reading').click()
    expect((await download).suggestedFilename()).toBe('personal-data.txt')

    await ask(page, 'Erase', number)
    await expectVisible(page.getByText('Proposed: a second owner confirms it under Approvals.'))
    await page.getByRole('link', { name: 'Waits' }).first().click()
    await expectVisible(page.getByText('You proposed it, so somebody else confirms it. You can withdraw it.'))
    const { id } = await shop.db.selectFrom('approvals').select('id').where('state', '=', 'pending').executeTakeFirstOrThrow()
    const second = await shop.openPage({ as: 'staff second owner', path: `/desk/approvals/${id}`, width, colorScheme })
    await button(second, 'Confirm').click()
    await second.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click()
    await expectVisible(second.getByRole('complementary').getByText('Confirmed', { exact: true }))

    // The order is open, so it is kept, with the reason.
    await page.goto(`${shop.app.url}/desk/personal-data`)
    await shop.startWorker()
    await expectVisible(page.getByText('Done', { exact: true }).first())
    await expectVisible(page.getByText('the order is open', { exact: false }).first())
    await expectNoAxeViolations(page)
  },
)

test('somebody who is no owner is told so, and asks the server nothing', async () => {
  const page = await shop.openPage({ as: 'staff finance', path: '/desk/personal-data' })
  await expectVisible(page.getByText('Only owners see personal data'))
})

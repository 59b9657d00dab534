import { expect, test } from 'vitest'
import { expectVisible } from '../expect-visible.ts'
import { setUpShopInBrowser } from '../set-up-shop-in-browser.ts'

const shop = setUpShopInBrowser({ hasStaff: true })

test.each([360, 1280])('somebody of the staff signs in at the desk, %i pixels wide, and signs out again', async (width) => {
  const page = await shop.openPage({ as: 'staff owner', width, path: '/desk/you' })
  await expectVisible(page.getByRole('navigation', { name: 'Screens' }))
  await expectVisible(page.getByText('owner@desk.test', { exact: true }))
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expectVisible(page.getByLabel('E-mail'))
})

test('a member of a reseller is told that the desk is for the staff', async () => {
  const page = await shop.openPage({ as: 'owner', path: '/desk' })
  await expectVisible(page.getByText('the desk is for the operator’s staff'))
  await page.getByRole('link', { name: 'Resellers work in the app' }).click()
  await expectVisible(page.getByRole('main'))
  expect(new URL(page.url()).pathname).toBe('/app')
})

test('an address that no screen has leads on to the first screen', async () => {
  const page = await shop.openPage({ as: 'staff owner', path: '/desk/no-such-screen' })
  await expectVisible(page.getByRole('heading', { name: 'There is no such page' }))
  await page.getByRole('link', { name: 'Go to the first screen' }).click()
  await expectVisible(page.getByRole('heading', { name: 'Needs you' }))
})

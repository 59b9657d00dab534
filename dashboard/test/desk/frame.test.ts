import { expect, test } from 'vitest'
import { expectVisible } from '../expect-visible.ts'
import { screenPaths } from '../screen-paths.ts'
import { setUpShopInBrowser } from '../set-up-shop-in-browser.ts'
import { goTo } from '../walk-screens.ts'

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

test('Ctrl-K finds every screen by its title, and signs out', async () => {
  const page = await shop.openPage({ as: 'staff owner', path: '/desk' })
  const options = page.getByRole('option')
  const field = page.getByRole('combobox', { name: 'What do you look for?' })
  const paths = screenPaths('desk').filter((path) => !/:\w+(?!\w*\?)/.test(path) && path !== '/more')
  for (const path of paths) {
    await goTo(page, 'desk', path.replaceAll(/\/:\w+\?/g, ''))
    // The heading of /you is the person's name, not the screen's title.
    const title = path === '/you' ? 'You' : await page.getByRole('heading', { level: 1 }).innerText()
    await page.keyboard.press('Control+k')
    await field.fill(title)
    await expect.poll(async () => [title, await options.filter({ hasText: title }).count()]).not.toEqual([title, 0])
    await page.keyboard.press('Escape')
    await field.waitFor({ state: 'hidden' })
  }
  await page.keyboard.press('Control+k')
  await field.fill('sign out')
  await expectVisible(options.filter({ hasText: 'Sign out' }))
  await field.press('Enter')
  await expectVisible(page.getByLabel('E-mail'))
})

test('a part of the desk that cannot be loaded is said, and does not leave an empty page', async () => {
  shop.expectFaults(/./)
  const page = await shop.openPage({ as: 'staff owner', path: '/desk/numbers' })
  await expectVisible(page.getByRole('button', { name: 'Add a prefix' }))
  await page.context().setOffline(true)
  await page.keyboard.press('Control+k')
  await expectVisible(page.getByRole('heading', { name: 'This screen did not load' }))
  await page.context().setOffline(false)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expectVisible(page.getByRole('button', { name: 'Add a prefix' }))
})

test('a dialog that is closed gives the focus back to its button', async () => {
  const page = await shop.openPage({ as: 'staff owner', path: '/desk/numbers' })
  await page.getByRole('button', { name: 'Add a prefix' }).press('Enter')
  await expectVisible(page.getByRole('dialog'))
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Add a prefix')
})

import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectNoAxeViolations } from './expect-no-axe-violations.ts'
import { expectVisible } from './expect-visible.ts'
import { emailOf, passwordOfAll } from './make-team.ts'
import { setUpShopInBrowser } from './set-up-shop-in-browser.ts'
import { goTo } from './walk-screens.ts'

const shop = setUpShopInBrowser()

async function fillIn(page: Page, password: string): Promise<void> {
  await page.getByLabel('E-mail').fill(emailOf('owner'))
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
}

/** The menu around the screens. Only a signed-in person sees it. */
const frame = (page: Page) => page.getByRole('navigation', { name: 'Screens' })

test('a page signed in as one member opens the session of nobody else', async () => {
  await expectVisible(frame(await shop.openPage({ as: 'viewer' })))
  const other = await shop.openPage()
  await expectVisible(other.getByLabel('E-mail'))
})

test.each([360, 1280])('somebody signs in, %i pixels wide, and is still signed in after a reload', async (width) => {
  const page = await shop.openPage({ width })
  await fillIn(page, passwordOfAll)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expectVisible(frame(page))
  await page.reload()
  await expectVisible(frame(page))
})

test('a wrong password is refused in words, and what was typed is still there', async () => {
  const page = await shop.openPage()
  await fillIn(page, 'wrong horse battery')
  await page.getByRole('button', { name: 'Sign in' }).click()
  expect(await page.getByRole('alert').innerText()).toContain('password')
  expect(await page.getByLabel('E-mail').inputValue()).toBe(emailOf('owner'))
  await expectNoAxeViolations(page)
})

test('the keyboard alone is enough to sign in', async () => {
  const page = await shop.openPage({ width: 1280 })
  await page.getByLabel('E-mail').waitFor()
  const isFocused = (label: string) => page.getByLabel(label).evaluate((field) => field === field.ownerDocument.activeElement)
  for (let presses = 0; presses < 5 && !(await isFocused('E-mail')); presses += 1) await page.keyboard.press('Tab')
  await page.keyboard.type(emailOf('owner'))
  await page.keyboard.press('Tab')
  await page.keyboard.type(passwordOfAll)
  await page.keyboard.press('Enter')
  await expectVisible(frame(page))
})

test('while somebody signs out, an answer that nobody is signed in shows no sign-in that the new page then takes away', async () => {
  const page = await shop.openPage({ as: 'owner', path: '/app/profile' })
  const signIn = page.getByRole('button', { name: 'Sign in' })
  let seen = 0
  await page.route('**/app/api/sign-out', async (route) => {
    const response = await route.fetch()
    const refused = page.waitForResponse((each) => each.status() === 401)
    await page.evaluate("history.pushState(null, '', '/app/wallet')")
    await refused
    await page.waitForTimeout(300)
    seen = await signIn.count()
    await route.fulfill({ response })
  })
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expectVisible(signIn)
  expect({ seen, said: await page.getByText('Your session has ended').count() }).toEqual({ seen: 0, said: 0 })
})

test('a call that was sent before the session was renewed is made again, and takes nothing away from the screen', async () => {
  const page = await shop.openPage({ as: 'owner', path: '/app/profile' })
  const refused = { success: false, error: { code: 401, message: 'Nobody is signed in.' } }
  const reads = page.waitForResponse((response) => response.url().endsWith('/app/api/me'))
  await page.route(
    ({ pathname }) => pathname.startsWith('/app/api/') && pathname !== '/app/api/me',
    (route) => route.fulfill({ status: 401, headers: { 'x-error-reason': 'not_signed_in' }, json: refused }),
    { times: 1 },
  )
  await frame(page).evaluate((each) => each.setAttribute('data-seen', ''))
  await goTo(page, 'app', '/wallet')
  await reads
  await expectVisible(frame(page))
  // The page still has the element that the test marked, so it was not loaded anew.
  expect(await page.locator('nav[data-seen]').count()).toBe(1)
  await expectVisible(page.getByRole('heading', { name: 'Wallet', level: 1 }))
  expect(await page.getByRole('alert').count()).toBe(0)
})

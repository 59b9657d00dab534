import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectVisible } from './expect-visible.ts'
import { listClipped, untilShown } from './look-at-screen.ts'
import { screenPaths } from './screen-paths.ts'
import { setUpShopInBrowser } from './set-up-shop-in-browser.ts'
import { goTo } from './walk-screens.ts'

/** The demo's account, so that lists are filled. */
const shop = setUpShopInBrowser({ isDemo: true })

/** Makes the browser report this language as its own. */
const setBrowserLanguage = (page: Page, language: string): Promise<unknown> =>
  page.addInitScript(`Object.defineProperty(navigator, 'language', { value: ${JSON.stringify(language)} })`)

/** Counts the lines that the links of the menu bar take. */
const countLinesOfBar = (page: Page): Promise<number> =>
  page.evaluate<number>(`
    new Set([...document.querySelectorAll('nav a')].filter((each) => each.checkVisibility()).map((each) => each.getBoundingClientRect().top)).size
  `)

const readLanguage = (page: Page): Promise<string> => page.evaluate<string>('document.documentElement.lang')

test('the sign-in is in the language of the browser, and in another one after a tap and a reload', async () => {
  const page = await shop.openPage({ path: null })
  await setBrowserLanguage(page, 'ak-GH')
  await page.goto('/app')
  await expectVisible(page.getByRole('button', { name: 'Hyɛn mu' }))
  expect(await readLanguage(page)).toBe('tw')
  await page.getByRole('button', { name: 'Français' }).click()
  await expectVisible(page.getByRole('button', { name: 'Se connecter' }))
  await page.reload()
  await expectVisible(page.getByLabel('Mot de passe').first())
  expect(await readLanguage(page)).toBe('fr')
  await page.getByRole('button', { name: 'English' }).click()
  await expectVisible(page.getByRole('button', { name: 'Sign in' }))
})

test('a language that the app does not have is English, and so is one that cannot be loaded', async () => {
  const page = await shop.openPage({ path: null })
  await setBrowserLanguage(page, 'ha')
  await page.goto('/app')
  await expectVisible(page.getByRole('button', { name: 'Sign in' }))
  await page.route(/\/assets\/dictionary-/, (route) => route.abort())
  shop.expectFaults(/dictionary-/)
  await page.getByRole('button', { name: 'Français' }).click()
  await expectVisible(page.getByRole('button', { name: 'English' }))
  await expectVisible(page.getByRole('button', { name: 'Sign in' }))
  expect(await readLanguage(page)).toBe('en')
})

test('the profile changes the language of Home, Buy and Wallet, which stays after a reload', async () => {
  const page = await shop.openPage({ as: 'owner', path: '/app/profile' })
  await page.getByRole('radio', { name: 'Français' }).click()
  await expectVisible(page.getByRole('heading', { name: 'Profil' }))
  await expectVisible(page.getByText('ébauches'))
  await page.goto('/app')
  await expectVisible(page.getByRole('heading', { name: 'Dernières commandes' }))
  await expectVisible(page.getByRole('navigation', { name: 'Écrans' }))
  await page.setViewportSize({ width: 320, height: 740 })
  expect(await countLinesOfBar(page)).toBe(1)
  await goTo(page, 'app', '/buy')
  await expectVisible(page.getByRole('heading', { name: 'Acheter de la data' }))
  await goTo(page, 'app', '/wallet')
  await expectVisible(page.getByRole('heading', { name: 'Portefeuille' }))
  await expectVisible(page.getByText('GHS').first())
})

test.each([
  ['fr', [320, 360]],
  ['tw', [320]],
] as const)('no word of any screen is cut off in %s', async (language, widths) => {
  const page = await shop.openPage({ as: 'owner', path: null })
  await setBrowserLanguage(page, language)
  await page.goto('/app')
  await untilShown(page)
  expect(await readLanguage(page)).toBe(language)
  const clipped: Record<string, readonly string[]> = {}
  for (const path of screenPaths('app').filter((each) => !/:\w+(?!\w*\?)/.test(each))) {
    await goTo(page, 'app', path.replaceAll(/\/:\w+\?/g, ''))
    for (const width of widths) {
      await page.setViewportSize({ width, height: 740 })
      const found = await listClipped(page)
      if (found.length > 0) clipped[`${path} at ${width} px`] = found
    }
  }
  expect(clipped).toEqual({})
})

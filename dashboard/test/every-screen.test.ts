import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { listAxeViolations } from './expect-no-axe-violations.ts'
import { listKeyboardFaults, listLowTargets, readOverhang, untilShown } from './look-at-screen.ts'
import { screenPaths } from './screen-paths.ts'
import { setUpShopInBrowser } from './set-up-shop-in-browser.ts'

/** The demo's account, so that lists are filled. */
const shop = setUpShopInBrowser({ isDemo: true })

/** All screens one after the other, each looked at from many sides. */
const walkMilliseconds = 900_000

/** Goes there as a link does, without loading the page anew. */
async function goTo(page: Page, path: string): Promise<void> {
  await page.evaluate(`history.pushState(null, '', ${JSON.stringify(`/app${path === '/' ? '' : path}`)})`)
  await untilShown(page)
}

const heightOf = (width: number): number => (width < 600 ? 740 : 800)

/** Looks at the screen that is shown: on a phone in light and dark, 320 pixels wide, and on a desk in the dark. */
async function lookAt(page: Page): Promise<Record<string, unknown>> {
  const show = async (width: number, colorScheme: 'light' | 'dark') => {
    await page.setViewportSize({ width, height: heightOf(width) })
    await page.emulateMedia({ colorScheme })
    await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor()
  }
  await show(360, 'light')
  const faults: Record<string, unknown> = {
    headings: (await page.locator('h1').count()) === 1 ? [] : await page.locator('h1').allInnerTexts(),
    'axe, phone, light': await listAxeViolations(page),
    'low targets': await listLowTargets(page),
  }
  await show(360, 'dark')
  faults['axe, phone, dark'] = await listAxeViolations(page, ['color-contrast'])
  await show(320, 'dark')
  const overhang = await readOverhang(page)
  faults['wider than 320 pixels'] = overhang > 0 ? [overhang] : []
  await show(1280, 'dark')
  faults['axe, desk, dark'] = await listAxeViolations(page)
  faults['keyboard'] = await listKeyboardFaults(page)
  return Object.fromEntries(Object.entries(faults).filter(([, found]) => (found as unknown[]).length > 0))
}

/** The address of a screen whose address has a part that differs. */
const withoutParts = (path: string): string => path.replaceAll(/\/:\w+\?/g, '')

test(
  'every screen is clean to axe in light and dark, has no sideways scroll at 320 pixels, and is reached by thumb and keyboard',
  async () => {
    const page = await shop.openPage({ as: 'owner' })
    const faults: Record<string, unknown> = {}
    for (const path of screenPaths().map(withoutParts)) {
      await goTo(page, path)
      const found = await lookAt(page)
      if (Object.keys(found).length > 0) faults[path] = found
    }
    expect(faults).toEqual({})
  },
  walkMilliseconds,
)

test.each(['/', '/register', '/forgot-password'])('%s is clean for somebody who is not signed in', async (path) => {
  const page = await shop.openPage({ path: `/app${path}` })
  await untilShown(page)
  expect(await lookAt(page)).toEqual({})
})

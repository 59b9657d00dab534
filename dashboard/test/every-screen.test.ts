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

/** What is wrong with a screen, by the name of the look that found it. */
type Faults = Record<string, readonly unknown[]>

/** Looks at the screen that is shown as on a phone, in the colours of its page. */
async function lookAtPhone(page: Page): Promise<Faults> {
  await page.setViewportSize({ width: 360, height: 740 })
  const headings = await page.locator('h1').allInnerTexts()
  const found = { headings: headings.length === 1 ? [] : headings, axe: await listAxeViolations(page) }
  return { ...found, 'low targets': await listLowTargets(page) }
}

/** Looks at the screen that is shown as on a very small phone and on a desk, in the colours of its page. */
async function lookAtOthers(page: Page): Promise<Faults> {
  await page.setViewportSize({ width: 320, height: 740 })
  const overhang = await readOverhang(page)
  await page.setViewportSize({ width: 1280, height: 800 })
  const found = { 'wider than 320 pixels': overhang > 0 ? [overhang] : [], axe: await listAxeViolations(page) }
  return { ...found, keyboard: await listKeyboardFaults(page) }
}

const onlyFound = (faults: Faults): Faults => Object.fromEntries(Object.entries(faults).filter(([, found]) => found.length > 0))

/** Every address that the screen leads to. */
const readLinks = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>('[...document.querySelectorAll("a[href]")].map(({ pathname }) => pathname.replace(/^\\/app/, ""))')

/** The address of a screen: without the parts that it may have, and with the parts of some link where it must have them. */
function addressOf(path: string, links: readonly string[]): string | undefined {
  const least = path.replaceAll(/\/:\w+\?/g, '')
  if (!least.includes('/:')) return least
  const pattern = new RegExp(`^${least.replaceAll(/:\w+/g, '[^/]+')}$`)
  return links.find((link) => pattern.test(link) && !screenPaths().includes(link))
}

test(
  'every screen is clean to axe in light and dark, has no sideways scroll at 320 pixels, and is reached by thumb and keyboard',
  async () => {
    // Each has its own page, because colours that change under a page need a moment to be all changed.
    const light = await shop.openPage({ as: 'owner', colorScheme: 'light' })
    const dark = await shop.openPage({ as: 'owner', colorScheme: 'dark' })
    const faults: Record<string, Faults> = {}
    const links: string[] = []
    const keep = (name: string, found: Faults) => {
      if (Object.keys(onlyFound(found)).length > 0) faults[name] = onlyFound(found)
    }
    // Those whose address has a part that differs come last, when links to them were seen.
    for (const path of screenPaths().toSorted((one, other) => Number(one.includes('/:')) - Number(other.includes('/:')))) {
      const address = addressOf(path, links)
      if (address === undefined) continue
      await Promise.all([goTo(light, address), goTo(dark, address)])
      links.push(...(await readLinks(light)))
      keep(`${path}, light`, await lookAtPhone(light))
      keep(`${path}, dark`, await lookAtOthers(dark))
    }
    expect(faults).toEqual({})
  },
  walkMilliseconds,
)

test.each(['/', '/register', '/forgot-password'])('%s is clean for somebody who is not signed in', async (path) => {
  const light = await shop.openPage({ path: `/app${path}` })
  const dark = await shop.openPage({ path: `/app${path}`, colorScheme: 'dark' })
  await Promise.all([untilShown(light), untilShown(dark)])
  expect([onlyFound(await lookAtPhone(light)), onlyFound(await lookAtOthers(dark))]).toEqual([{}, {}])
})

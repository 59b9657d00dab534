import type { Page } from 'playwright-core'
import { listAxeViolations } from './expect-no-axe-violations.ts'
import { listKeyboardFaults, listLowTargets, readOverhang, untilShown } from './look-at-screen.ts'
import { type Face, screenPaths } from './screen-paths.ts'

/** Goes there as a link does, without loading the page anew. */
export async function goTo(page: Page, face: Face, path: string): Promise<void> {
  await page.evaluate(`history.pushState(null, '', ${JSON.stringify(`/${face}${path === '/' ? '' : path}`)})`)
  await untilShown(page)
}

/** What is wrong with a screen, by the name of the look that found it. */
export type Faults = Record<string, readonly unknown[]>

/** Looks at the screen that is shown as on a phone, in the colours of its page. */
export async function lookAtPhone(page: Page): Promise<Faults> {
  await page.setViewportSize({ width: 360, height: 740 })
  const headings = await page.locator('h1').allInnerTexts()
  const found = { headings: headings.length === 1 ? [] : headings, axe: await listAxeViolations(page) }
  return { ...found, 'low targets': await listLowTargets(page) }
}

/** Looks at the screen that is shown as on a very small phone and on a desk, in the colours of its page. */
export async function lookAtOthers(page: Page, keyboardWithin: 'body' | 'main' = 'body'): Promise<Faults> {
  await page.setViewportSize({ width: 320, height: 740 })
  const overhang = await readOverhang(page)
  await page.setViewportSize({ width: 1280, height: 800 })
  const found = { 'wider than 320 pixels': overhang > 0 ? [overhang] : [], axe: await listAxeViolations(page) }
  return { ...found, keyboard: await listKeyboardFaults(page, keyboardWithin) }
}

export const onlyFound = (faults: Faults): Faults =>
  Object.fromEntries(Object.entries(faults).filter(([, found]) => found.length > 0))

/** Every address that the screen leads to. */
const readLinks = (page: Page, face: Face): Promise<string[]> =>
  page.evaluate<string[]>(
    `[...document.querySelectorAll("a[href]")].map(({ pathname }) => pathname.replace(/^\\/${face}(?=\\/|$)/, ""))`,
  )

/** A link to the screen with every part that its address can have. */
function linkTo(path: string, paths: readonly string[], links: readonly string[]): string | undefined {
  const pattern = new RegExp(`^${path.replaceAll(/:\w+\??/g, '[^/]+')}$`)
  return links.find((link) => pattern.test(link) && !paths.includes(link))
}

/**
 * Goes to every screen of a face and looks at it in both colours. A screen whose address can have a part, such as the row
 * that is shown beside a list, is looked at without the part and, where a link leads there, with it.
 *
 * @param light a page in light colours, signed in as somebody who may see every screen
 * @param dark another page in dark colours; colours that change under a page need a moment to be all changed
 * @returns what is wrong, by the screen and its colours
 */
export async function walkScreens(face: Face, light: Page, dark: Page): Promise<Record<string, Faults>> {
  const faults: Record<string, Faults> = {}
  const links: string[] = []
  const paths = screenPaths(face)

  async function look(path: string, address: string): Promise<void> {
    await Promise.all([goTo(light, face, address), goTo(dark, face, address)])
    links.push(...(await readLinks(light, face)))
    // The desk's rail is the same everywhere and has more stops than are walked, so it is walked on the first screen alone.
    const keyboardWithin = face === 'desk' && path !== paths[0] ? 'main' : 'body'
    const found = {
      [`${address}, light`]: await lookAtPhone(light),
      [`${address}, dark`]: await lookAtOthers(dark, keyboardWithin),
    }
    for (const [key, each] of Object.entries(found)) if (Object.keys(onlyFound(each)).length > 0) faults[key] = onlyFound(each)
  }

  for (const path of paths.filter((each) => !/:\w+(?!\w*\?)/.test(each))) await look(path, path.replaceAll(/\/:\w+\?/g, ''))
  // Then links to those were seen whose address has a part that differs.
  for (const path of paths.filter((each) => each.includes('/:'))) {
    const address = linkTo(path, paths, links)
    if (address !== undefined) await look(path, address)
  }
  return faults
}

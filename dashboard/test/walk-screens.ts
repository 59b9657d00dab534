import type { CDPSession, Page } from 'playwright-core'
import { listAxeViolations } from './expect-no-axe-violations.ts'
import { listLowContrast } from './list-low-contrast.ts'
import { listMachineWords } from './list-machine-words.ts'
import { listClipped, listCovered, listKeyboardFaults, listSmallTargets, untilShown } from './look-at-screen.ts'
import { type Face, screenPaths } from './screen-paths.ts'

/** Opens an address as a link of the app does, without loading the page anew. */
export async function goTo(page: Page, face: Face, path: string): Promise<void> {
  await page.evaluate(`history.pushState(null, '', ${JSON.stringify(`/${face}${path === '/' ? '' : path}`)})`)
  await untilShown(page)
}

/** The faults of a screen, by the name of the check that found them. */
export type Faults = Record<string, readonly unknown[]>

/** From a small phone to a wide desk, each side of every width at which the layout changes. The usual desk comes last. */
const phoneWidths = [320, 360] as const
const deskWidths = [768, 1440, 1280] as const
const phoneWindows = [
  [360, 740],
  [360, 400],
  [740, 360],
] as const
type Width = (typeof phoneWidths | typeof deskWidths)[number]

/**
 * Rules of axe that depend on the colours, so they are checked in both colour schemes. One scheme is enough for the other
 * rules.
 */
const colourRules = ['color-contrast', 'link-in-text-block']

const setWidth = (page: Page, width: Width): Promise<void> => page.setViewportSize({ width, height: width < 600 ? 740 : 800 })

/** Lists what does not fit at each of these widths. The page keeps the last width. */
async function listClippedByWidth(page: Page, looked: readonly Width[]): Promise<string[]> {
  const found: string[] = []
  for (const width of looked) {
    await setWidth(page, width)
    found.push(...(await listClipped(page)).map((each) => `at ${width} px ${each}`))
  }
  return found
}

/** Sets the size of text as people do in their browser, and waits for it: the root follows first, its words some frames later. */
async function setTextSize(page: Page, session: CDPSession, pixels: 16 | 32): Promise<void> {
  const readSizes = `['html', 'h1'].map((name) => parseFloat(getComputedStyle(document.querySelector(name)).fontSize))`
  const [root = 0, heading = 0] = await page.evaluate<number[]>(readSizes)
  await session.send('Page.setFontSizes', { fontSizes: { standard: pixels, fixed: pixels - 3 } })
  const wanted = JSON.stringify([pixels, (heading / root) * pixels])
  while (JSON.stringify(await page.evaluate(readSizes)) !== wanted) await page.waitForTimeout(20)
}

/** Runs `look` while text is twice as large, as people with weak eyes set it. */
async function withLargeText<Found>(page: Page, look: () => Promise<Found>): Promise<Found> {
  const session = await page.context().newCDPSession(page)
  await setTextSize(page, session, 32)
  try {
    return await look()
  } finally {
    await setTextSize(page, session, 16)
    await session.detach()
  }
}

/**
 * Lists stops that something covers while they have the focus: on a phone, beside an open keyboard, and on a phone held
 * sideways.
 */
async function listCoveredByWindow(page: Page): Promise<string[]> {
  const found: string[] = []
  for (const [width, height] of phoneWindows) {
    await page.setViewportSize({ width, height })
    found.push(...(await listCovered(page)).map((each) => `at ${width} × ${height} px ${each}`))
  }
  return found
}

/** Lists what does not fit a phone, or is covered there, while text is twice as large. */
const lookAtLargeText = (page: Page): Promise<Faults> =>
  withLargeText(page, async () => ({
    'clipped, large text': await listClippedByWidth(page, phoneWidths),
    'covered, large text': await listCovered(page),
  }))

/** Looks at the screen that is shown as on a phone, in the colours of its page. The desk is not made for large text on a phone. */
export async function lookAtPhone(page: Page, face: Face = 'app'): Promise<Faults> {
  await setWidth(page, 360)
  const headings = await page.locator('h1').allInnerTexts()
  const found = { headings: headings.length === 1 ? [] : headings, axe: await listAxeViolations(page) }
  const more = {
    faint: await listLowContrast(page),
    'low targets': await listSmallTargets(page),
    'machine words': await listMachineWords(page),
  }
  const large = face === 'app' ? await lookAtLargeText(page) : {}
  const covered = await listCoveredByWindow(page)
  await setWidth(page, 1280)
  return { ...found, ...more, ...large, covered, 'axe, wide': await listAxeViolations(page, colourRules) }
}

/** Looks at the screen that is shown at every width, the usual desk's the last, in the colours of its page. */
export async function lookAtOthers(page: Page, keyboardWithin: 'body' | 'main' = 'body'): Promise<Faults> {
  const clippedOnPhone = await listClippedByWidth(page, phoneWidths)
  const narrow = await listAxeViolations(page, colourRules)
  return {
    clipped: [...clippedOnPhone, ...(await listClippedByWidth(page, deskWidths))],
    'axe, narrow': narrow,
    faint: await listLowContrast(page),
    axe: await listAxeViolations(page),
    keyboard: await listKeyboardFaults(page, keyboardWithin),
  }
}

/** Opens the first row that can be opened, if there is one. */
async function openRow(page: Page): Promise<boolean> {
  const row = page.locator('main tr[aria-selected] button').first()
  if ((await row.count()) === 0) return false
  await row.click()
  await untilShown(page)
  return true
}

/** Looks at the panel of the row that is open on the usual desk: beside its list and on a phone, and behind each of its tabs. */
async function lookAtPanel(page: Page): Promise<Faults> {
  const clipped: string[] = []
  const words: string[] = []
  const tabs = page.locator('main aside [role="tab"]')
  for (let tab = 0; tab === 0 || tab < (await tabs.count()); tab += 1) {
    if (tab > 0) await tabs.nth(tab).click()
    await untilShown(page)
    words.push(...(await listMachineWords(page)))
    clipped.push(...(await listClippedByWidth(page, tab === 0 ? [...phoneWidths, ...deskWidths] : [320, 1280])))
  }
  return { clipped, 'machine words': words, axe: await listAxeViolations(page) }
}

export const onlyFound = (faults: Faults): Faults =>
  Object.fromEntries(Object.entries(faults).filter(([, found]) => found.length > 0))

/** Every address that the screen leads to. */
const readLinks = (page: Page, face: Face): Promise<string[]> =>
  page.evaluate<string[]>(
    `[...document.querySelectorAll("a[href]")].map(({ pathname }) => pathname.replace(/^\\/${face}(?=\\/|$)/, ""))`,
  )

/** The address of a screen without the parts that it can do without. */
const withoutParts = (path: string): string => path.replaceAll(/\/:\w+\?/g, '')

/** A link to the screen with every part that its address can have. */
function linkTo(path: string, paths: readonly string[], links: readonly string[]): string | undefined {
  const pattern = new RegExp(`^${path.replaceAll(/:\w+\??/g, '[^/]+')}$`)
  return links.find((link) => pattern.test(link) && !paths.includes(link))
}

/**
 * Goes to every screen of a face and looks at it in both colours, and at its first row's panel. A screen whose address can
 * have a part, such as the row that is shown beside a list, is looked at without the part and, where a link leads there, with
 * it.
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
    const [asPhone, others] = await Promise.all([lookAtPhone(light, face), lookAtOthers(dark, keyboardWithin)])
    const found: Record<string, Faults> = { [`${address}, light`]: asPhone, [`${address}, dark`]: others }
    if (address === withoutParts(path) && (await openRow(dark))) found[`${address}, a row open`] = await lookAtPanel(dark)
    for (const [key, each] of Object.entries(found)) if (Object.keys(onlyFound(each)).length > 0) faults[key] = onlyFound(each)
  }

  for (const path of paths.filter((each) => !/:\w+(?!\w*\?)/.test(each))) await look(path, withoutParts(path))
  // Addresses with a part that differs, such as an id, come second, because the first walk has collected links to them.
  for (const path of paths.filter((each) => each.includes('/:'))) {
    const address = linkTo(path, paths, links)
    if (address !== undefined) await look(path, address)
  }
  return faults
}

import type { Page } from 'playwright-core'
import { contrastScript, leastContrast } from './list-low-contrast.ts'
import { untilQuiet } from './watch-page.ts'

/** The walk with the Tab key visits at most this many stops: after them come the rows of long lists, which are alike. */
const tabStopsMax = 25

/** `listCovered` looks at no more than this many stops. */
const coverStopsMax = 40

/** The least height of a button or field on a phone, so that a thumb hits it. A link within a line of text may be lower. */
const targetPixels = 44

/** Waits until the screen of the page is there with its data. */
export async function untilShown(page: Page): Promise<void> {
  await page.locator('main h1').first().waitFor()
  // There may be several; the first is gone when none is left.
  await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' })
  await page.waitForLoadState('networkidle')
  // `networkidle` comes once for each page. A screen that is opened later asks the server again.
  await untilQuiet(page)
}

/**
 * Lists what does not fit the width of the screen: the page itself, parts that scroll sideways in themselves or reach beyond
 * the window, words that are cut off, and labels of buttons, chips and tabs that are larger than their box. Blocks of code may
 * scroll, because their lines keep their shape.
 */
export const listClipped = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`
    (async () => {
      const root = document.documentElement
      const over = (each) => each.scrollWidth - each.clientWidth
      const found = []
      // How far the words of a label reach out of its box. Words that a part of it shortens on purpose are not measured.
      const outOf = (each) => {
        if ([...each.querySelectorAll('*')].some((part) => getComputedStyle(part).overflowY !== 'visible')) return 0
        const words = document.createRange()
        words.selectNodeContents(each)
        const [box, inner] = [each.getBoundingClientRect(), words.getBoundingClientRect()]
        if (box.width <= 1 || inner.width === 0) return 0
        return Math.max(box.left - inner.left, inner.right - box.right, box.top - inner.top, inner.bottom - box.bottom)
      }
      const look = (each) => {
        if (!(each instanceof HTMLElement) || each.matches('pre, [aria-hidden="true"]') || !each.checkVisibility()) return
        const { clipPath, overflowX } = getComputedStyle(each)
        // Shown to screen readers alone.
        if (clipPath !== 'none') return
        const { left, right, width } = each.getBoundingClientRect()
        const name = ': ' + each.tagName.toLowerCase() + '.' + each.className + ' "' + each.textContent.trim().slice(0, 60) + '"'
        // Elements within a line have no width of their own. Fields scroll what is typed.
        const isLabel = each.matches('button, a[class], [role="tab"], label') && getComputedStyle(each).display !== 'inline'
        const isWide = each.clientWidth > 1 && over(each) > 0 && !each.matches('input, select, textarea')
        if (isWide && (overflowX !== 'visible' || each.matches('button, [role="tab"], h1, h2, h3, th, td, dt, dd, label, legend, a, span, b'))) {
          found.push('its words are ' + over(each) + ' px too wide' + name)
        } else if (width > 1 && (right > root.clientWidth + 0.5 || left < -0.5)) {
          found.push('it reaches ' + Math.round(Math.max(right - root.clientWidth, -left)) + ' px out' + name)
        } else if (isLabel && outOf(each) > 1) {
          found.push('its words reach ' + Math.round(outOf(each)) + ' px out of its box' + name)
        } else {
          for (const child of each.children) look(child)
        }
      }
      // Tables and drawings take a moment to fit a new width.
      for (let looks = 0; looks < 100; looks += 1) {
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
        found.length = 0
        if (over(root) > 0) found.push('the page is ' + over(root) + ' px too wide')
        look(document.body)
        if (found.length === 0) break
      }
      return found
    })()
  `)

/**
 * Lists fields, buttons and links that a fixed foot, bar or head covers while they have the focus: a person types there without
 * seeing it.
 */
export const listCovered = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`
    (async () => {
      const found = []
      const stops = [...document.querySelectorAll('main :is(a[href], button, input, select, textarea, summary, [role="tab"])')]
        .filter((each) => !each.disabled && each.tabIndex >= 0 && each.checkVisibility({ visibilityProperty: true }))
      const { activeElement: before } = document
      const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve))
      const coverOf = (each) => {
        // The box that is drawn: a tick or a file stands invisible over its label.
        const { left, right, top, bottom } = (each.closest('label') ?? each).getBoundingClientRect()
        const [x, y] = [(left + right) / 2, (Math.max(0, top) + Math.min(innerHeight, bottom)) / 2]
        const cover = [...document.elementsFromPoint(x, y)].find((over) => ['fixed', 'sticky'].includes(getComputedStyle(over).position))
        return cover?.contains(each) ? undefined : cover
      }
      // What follows the size of the window by script is then drawn. Where the focus goes, the page scrolls at once.
      await nextFrame()
      await nextFrame()
      for (const each of stops.slice(0, ${coverStopsMax})) {
        const focus = () => {
          each.blur()
          each.focus()
          return coverOf(each)
        }
        let cover = focus()
        // A page takes a moment to fit a new window or another size of text.
        for (let looks = 0; cover && looks < 30; looks += 1) {
          await nextFrame()
          cover = focus()
        }
        if (cover) found.push(cover.className + ' covers ' + each.outerHTML.slice(0, 160))
      }
      before?.focus({ preventScroll: true })
      scrollTo(0, 0)
      return found
    })()
  `)

/** Lists buttons, fields, tabs, and links that are a row of their own, when they are lower than `targetPixels`. */
export const listSmallTargets = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`
    [...document.querySelectorAll('main :is(a, button, select, textarea, input, summary, [role="tab"], [role="button"])')]
      .filter((each) => !each.matches('[type="checkbox"], [type="radio"], [type="file"], [type="hidden"], [tabindex="-1"], [aria-hidden="true"]'))
      .filter((each) => each.checkVisibility() && getComputedStyle(each).display !== 'inline')
      .map((each) => [each, (each.closest('.mantine-Input-wrapper') ?? each).getBoundingClientRect().height])
      .filter(([, height]) => height > 0 && height < ${targetPixels} - 0.5)
      .map(([each, height]) => height + ' px: ' + each.outerHTML.slice(0, 160))
  `)

/** Numbers the stops of the Tab key in the order of the page, in the attribute `data-stop`. @returns their count */
const numberStops = (page: Page, within: string): Promise<number> =>
  page.evaluate<number>(`
    (() => {
      document.querySelectorAll('[data-stop]').forEach((each) => each.removeAttribute('data-stop'))
      const stops = [...document.querySelector('${within}').querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]')]
        .filter((each) => each.tabIndex >= 0 && !each.disabled && each.checkVisibility({ visibilityProperty: true }))
        // Of several radio buttons of one name only the chosen one is a stop.
        .filter((each) => each.type !== 'radio')
      stops.forEach((each, index) => { each.dataset.stop = String(index) })
      return stops.length
    })()
  `)

/** The element that has the focus: its number, and whether a person sees that it has the focus. */
type Stop = { readonly number: string | undefined; readonly isSeen: boolean; readonly html: string }
const readStop = (page: Page): Promise<Stop> =>
  page.evaluate<Stop>(`
    (() => {
      ${contrastScript}
      const { activeElement: each } = document
      // The ring comes in the colour of the letters and changes to its own.
      for (const animation of each.getAnimations()) animation.finish()
      const { outlineStyle, outlineWidth, outlineColor, borderTopColor, boxShadow } = getComputedStyle(each)
      const isRinged = outlineStyle !== 'none' && outlineWidth !== '0px'
      const ring = isRinged ? outlineColor : each.matches('input, select, textarea') ? borderTopColor : undefined
      return {
        number: each.dataset.stop,
        isSeen: ring ? contrastOf(ring, each.parentElement) >= ${leastContrast} : boxShadow !== 'none',
        html: each.outerHTML.slice(0, 160),
      }
    })()
  `)

/**
 * Walks the screen with the Tab key. Lists the stops that the walk does not reach, and those that do not show that they have
 * the focus.
 * @param within the element where the walk begins, and whose stops are counted
 */
export async function listKeyboardFaults(page: Page, within: 'body' | 'main' = 'body'): Promise<string[]> {
  const stops = Math.min(await numberStops(page, within), tabStopsMax)
  // The Tab key goes on from where the focus was.
  await page.evaluate(`
    (() => {
      const start = document.querySelector('${within}')
      const had = start.getAttribute('tabindex')
      start.tabIndex = -1
      start.focus()
      if (had === null) start.removeAttribute('tabindex')
      else start.setAttribute('tabindex', had)
    })()
  `)
  const reached = new Set<string>()
  const faults: string[] = []
  // Radio buttons and the parts of a date are stops too, which have no number.
  for (let press = 0; reached.size < stops && press < 3 * tabStopsMax; press += 1) {
    await page.keyboard.press('Tab')
    const { number, isSeen, html } = await readStop(page)
    // Past the last stop the focus leaves the page.
    if (html.startsWith('<body')) break
    if (number !== undefined) reached.add(number)
    if (!isSeen) faults.push(`the focus is not seen on ${html}`)
  }
  const missed = await page.evaluate<[string, string][]>(`
    [...document.querySelectorAll('[data-stop]')].map((each) => [each.dataset.stop, each.outerHTML.slice(0, 160)])
  `)
  for (const [number, html] of missed) {
    if (Number(number) < stops && !reached.has(number)) faults.push(`the Tab key does not reach ${html}`)
  }
  return faults
}

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { formatGhs } from '../src/both/money/format-ghs.ts'
import { fillLists } from './fill-lists.ts'
import type { AnsweredRow, FieldWalk, ListWalk } from './list-walk.ts'
import { listWalks, noLists } from './list-walks.ts'
import { untilShown } from './look-at-screen.ts'
import type { Face } from './screen-paths.ts'
import { setUpShopInBrowser } from './set-up-shop-in-browser.ts'

/** The values that replace the words in capitals in `listWalks`, such as the reference of an order for REFERENCE. */
let meant: Readonly<Record<string, string>> = {}

const shop = setUpShopInBrowser({
  isDemo: true,
  hasStaff: true,
  prepare: async (opened) => {
    meant = await fillLists(opened)
  },
})

const inThisShop = (text: string): string => text.replaceAll(/\b[A-Z]{3,}\b/g, (word) => meant[word] ?? word)

type Next = string | number | null
type Answer = { readonly rows: readonly AnsweredRow[]; readonly next: Next }

/** Asks the server for a page of a list. `query` is added to the query of the walk; an empty value removes a parameter. */
async function ask(page: Page, walk: ListWalk, query = '', next?: Next): Promise<Answer> {
  const url = new URL(inThisShop(walk.answers), shop.app.url)
  for (const [name, value] of new URLSearchParams(inThisShop(query))) {
    if (value === '') url.searchParams.delete(name)
    else url.searchParams.set(name, value)
  }
  if (next !== undefined) url.searchParams.set(walk.nextAs ?? 'after', String(next))
  const answer = await page.request.get(url.href)
  expect({ url: url.href, status: answer.status() }).toMatchObject({ status: 200 })
  const { data } = (await answer.json()) as { data: Record<string, unknown> }
  const [name] = Object.keys(data).filter((key) => Array.isArray(data[key]) && key !== 'shown' && key !== 'networks')
  const nextPage =
    walk.nextAs === 'page' ? (data['has_more'] === true ? Number(next ?? 0) + 1 : null) : ((data['next'] ?? null) as Next)
  const rows = data[name ?? ''] as readonly AnsweredRow[]
  return { rows: rows.filter((row) => walk.isIn?.(row) ?? true), next: nextPage }
}

/** A list in the browser: its page, the part of the screen that holds it, and its rows. */
type Shown = { readonly page: Page; readonly walk: ListWalk; readonly within: Locator; readonly rows: Locator }

function show(page: Page, walk: ListWalk): Shown {
  const list = page.locator(walk.within ?? 'main').getByLabel(walk.list, { exact: true })
  const rows = list.and(page.locator('table, ul')).locator('tbody tr:not([aria-hidden]), li')
  return { page, walk, within: page.locator(walk.within ?? 'main'), rows }
}

const withoutSpaces = (text: string): string => text.replaceAll(/\s/g, '')

const write = (value: unknown, isAmount: boolean): string =>
  isAmount && typeof value === 'number' ? formatGhs(value) : String(value)

/** The texts that a row must show, as far as the answer has them. */
function textsOfRow(row: AnsweredRow, { says }: ListWalk): string[] {
  const said =
    typeof says === 'function'
      ? says(row).map((value) => write(value, false))
      : says.filter((name) => (row[name] ?? null) !== null).map((name) => write(row[name], /^(?:amount|balance)/.test(name)))
  return said.map(withoutSpaces)
}

/** Compares the shown rows with the wanted ones, place by place. `strangers` has at most three texts of rows that differ. */
async function findUnexpectedRows(
  { walk, rows }: Shown,
  wanted: readonly AnsweredRow[],
): Promise<{ count: number; strangers: string[] }> {
  const shown = (await rows.allTextContents()).map(withoutSpaces)
  const strangers = shown.filter((text, at) => {
    const row = wanted[at]
    return row === undefined || !textsOfRow(row, walk).every((said) => text.includes(said))
  })
  return { count: shown.length, strangers: strangers.slice(0, 3) }
}

/** Waits until exactly these rows are shown, in this order. No button may then offer to show new rows. */
async function expectRows(shown: Shown, wanted: readonly AnsweredRow[], after: string): Promise<void> {
  const faults = () => findUnexpectedRows(shown, wanted)
  await expect.poll(faults, { message: `${shown.walk.path}, ${after}` }).toEqual({ count: wanted.length, strangers: [] })
  expect(await shown.page.getByRole('button', { name: /^Show \d+ new$/ }).count()).toBe(0)
}

/** Finds a field by its label: a list of choices, an input, or a group of buttons or links. */
const fieldOf = ({ page, within }: Shown, label: string): Locator =>
  within.getByLabel(label, { exact: true }).and(page.locator('select, input, fieldset, nav'))

/** Sets a field. @returns a function that sets the field back */
async function setField(shown: Shown, [label, given]: FieldWalk): Promise<() => Promise<void>> {
  const field = fieldOf(shown, label)
  const value = inThisShop(given)
  const tag = await field.evaluate((each) => each.tagName)
  if (tag === 'SELECT') {
    const before = await field.inputValue()
    await field.selectOption(value)
    return async () => void (await field.selectOption(before))
  }
  if (tag === 'INPUT') {
    const type = async (text: string) => {
      await field.fill(text)
      await field.press('Enter')
    }
    await type(value)
    return () => type('')
  }
  const chosen = field.locator('[aria-pressed="true"], [aria-current="page"]')
  const before = await chosen.innerText()
  const press = (name: string) => field.getByText(name, { exact: true }).click()
  await press(value)
  return () => press(before)
}

/** Holds back the server's answers for one list, so that a test sees what the screen shows while it waits. */
type Gate = { readonly close: () => void; readonly open: () => void }

async function makeGate(page: Page, { answers }: ListWalk): Promise<Gate> {
  const { pathname } = new URL(inThisShop(answers), shop.app.url)
  let gate = Promise.withResolvers<undefined>()
  gate.resolve(undefined)
  await page.route(
    (url) => url.pathname === pathname,
    async (route) => {
      await gate.promise
      await route.continue()
    },
  )
  return {
    close: () => {
      gate = Promise.withResolvers<undefined>()
    },
    open: () => gate.resolve(undefined),
  }
}

/**
 * Presses a button for more rows. Seldom, on a busy machine, a press has no effect, neither rows nor a sign of waiting; then
 * presses once more, as a person would.
 */
async function pressMore({ rows }: Shown, button: Locator): Promise<void> {
  const before = await rows.allTextContents()
  await button.click()
  const hasChanged = await expect
    .poll(() => rows.allTextContents(), { timeout: 20_000 })
    .not.toEqual(before)
    .then(
      () => true,
      () => false,
    )
  if (!hasChanged && (await button.count()) > 0 && (await button.getAttribute('data-loading')) === null) await button.click()
}

/** Presses the button for the next page, and expects its rows after those of the first page or in their place. */
async function expectMore(shown: Shown, first: Answer, query: string, after: string): Promise<void> {
  const { page, walk, within } = shown
  if (first.next === null || walk.more === undefined) return
  const { rows } = await ask(page, walk, query, first.next)
  // A part that comes late would move the button away under the pointer.
  await untilShown(page)
  await pressMore(shown, within.getByRole('button', { name: walk.more, exact: true }).first())
  await expectRows(shown, walk.isReplaced ? rows : [...first.rows, ...rows], `${after}, the next page`)
}

const written = (rows: readonly AnsweredRow[]): string[] => rows.map((row) => JSON.stringify(row))

/** Returns true if the unfiltered list, read page by page, has a row that the filter must remove. */
async function dropsRows({ page, walk }: Shown, first: Answer, fitting: ReadonlySet<string>): Promise<boolean> {
  for (let found = first; ; found = await ask(page, walk, '', found.next)) {
    if (written(found.rows).some((row) => !fitting.has(row))) return true
    if (found.next === null) return false
  }
}

async function readFields({ page, walk }: Shown): Promise<string[]> {
  const beside = walk.within === undefined ? 'aside, table, ul, dialog' : 'table, ul, dialog'
  return page.evaluate<string[]>(`
    [...document.querySelectorAll(${JSON.stringify(walk.within ?? 'main')} + ' :is(select, input, fieldset[aria-label], nav[aria-label])')]
      .filter((each) => !each.closest(${JSON.stringify(beside)}) && !each.matches('[type="checkbox"], [type="radio"], [type="file"]'))
      .filter((each) => each.checkVisibility())
      .map((each) => each.getAttribute('aria-label') ?? each.labels[0]?.textContent.replace(/ \\*$/, '') ?? each.outerHTML)
  `)
}

/**
 * Sets one field. Until the answer comes, the screen shows no row that does not fit; then it shows those that fit, and in the
 * end all.
 */
async function walkField(shown: Shown, gate: Gate, first: Answer, field: FieldWalk): Promise<boolean> {
  const { page, walk } = shown
  const [label, value, fits] = field
  const after = `${label}: ${value}`
  if (typeof fits === 'function') {
    const kept = first.rows.filter((row) => fits(row))
    expect({ after, keeps: kept.length > 0, drops: kept.length < first.rows.length }).toMatchObject({ keeps: true, drops: true })
    const undo = await setField(shown, field)
    await expectRows(shown, kept, after)
    await undo()
    await expectRows(shown, first.rows, `${after}, taken away`)
    return false
  }
  const kept = await ask(page, walk, fits)
  const drops = await dropsRows(shown, first, new Set(written(kept.rows)))
  expect({ path: walk.path, after, keeps: kept.rows.length > 0, drops }).toMatchObject({ keeps: true, drops: true })
  gate.close()
  const undo = await setField(shown, field)
  const strangers = async () => (await findUnexpectedRows(shown, kept.rows)).strangers
  await expect.poll(strangers, { message: `${walk.path}, ${after}, before the answer` }).toEqual([])
  gate.open()
  await expectRows(shown, kept.rows, after)
  await expectMore(shown, kept, fits, after)
  await undo()
  await expectRows(shown, first.rows, `${after}, taken away`)
  return kept.next !== null
}

async function walkList(page: Page, face: Face, walk: ListWalk): Promise<void> {
  await page.goto(`/${face}${inThisShop(walk.path)}`)
  await untilShown(page)
  const shown = show(page, walk)
  const filters = shown.within.getByRole('button', { name: 'Filters', exact: true })
  if ((await filters.count()) > 0) await filters.click()
  const known = [...walk.fields.map(([label]) => label), ...(walk.otherFields ?? [])]
  expect({ path: walk.path, fields: (await readFields(shown)).toSorted() }).toEqual({ path: walk.path, fields: known.toSorted() })
  const first = await ask(page, walk)
  expect({ path: walk.path, hasMore: first.next !== null }).toEqual({ path: walk.path, hasMore: walk.more !== undefined })
  await expectRows(shown, first.rows, 'at first')
  if (walk.fields.length === 0) return expectMore(shown, first, '', 'at first')
  const turned = []
  const gate = await makeGate(page, walk)
  for (const field of walk.fields) turned.push(await walkField(shown, gate, first, field))
  if (walk.more !== undefined) expect({ path: walk.path, turned }).toMatchObject({ turned: expect.arrayContaining([true]) })
}

const inWords = (error: unknown): string => {
  const { message, actual } = error as Error & { readonly actual?: unknown }
  return actual === undefined ? message : `${message}; it is ${JSON.stringify(actual)}`
}

/** Walks lists one after the other in a page of their own. @returns what is wrong with each */
async function walkAll(face: Face, walks: readonly ListWalk[]): Promise<string[]> {
  const page = await shop.openPage({ as: face === 'app' ? 'owner' : 'staff owner', width: 1280, path: null })
  const failed: string[] = []
  for (const walk of walks) {
    await walkList(page, face, walk).catch((error: unknown) => failed.push(`${walk.path}: ${inWords(error)}`))
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  }
  return failed
}

test('every list shows exactly what the server answers for each of its fields, page after page, and again without them', async () => {
  const { app, desk } = listWalks
  const half = desk.length / 2
  const failed = await Promise.all([walkAll('app', app), walkAll('desk', desk.slice(0, half)), walkAll('desk', desk.slice(half))])
  expect(failed.flat()).toEqual([])
})

test('every file that asks for pages or keeps filters is walked, or says why not', () => {
  const sources = fileURLToPath(new URL('../src/', import.meta.url))
  const found = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter(
    (path) =>
      /\.tsx?$/.test(path) &&
      /\b(?:useInfiniteQuery|usePages|useFilters)\(|<ListScreen$|\bhas_more\b.*=>/m.test(
        readFileSync(join(sources, path), 'utf8'),
      ),
  )
  const walked = new Set([...[...listWalks.app, ...listWalks.desk].flatMap((walk) => walk.sources), ...Object.keys(noLists)])
  expect(found.map((path) => path.replaceAll('\\', '/')).toSorted()).toEqual([...walked].toSorted())
})

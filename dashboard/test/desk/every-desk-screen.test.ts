import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { permissionsOfStaff, type StaffRole, staffRoles } from '../../../server/src/people/permissions/staff-permissions.ts'
import { expectVisible } from '../expect-visible.ts'
import { untilShown } from '../look-at-screen.ts'
import { deskDestinations, screenPaths } from '../screen-paths.ts'
import { setUpShopInBrowser } from '../set-up-shop-in-browser.ts'
import { goTo, walkScreens } from '../walk-screens.ts'
import { writeHardTexts } from '../write-hard-texts.ts'

/** Has the demo data of a month, so that lists are filled. */
const shop = setUpShopInBrowser({ isDemo: true, hasStaff: true, prepare: ({ db }) => writeHardTexts(db) })

function allowedTo(role: StaffRole): string[] {
  const permissions: readonly string[] = permissionsOfStaff(role)
  return deskDestinations()
    .filter(({ permission }) => permission === undefined || permissions.includes(permission))
    .map(({ href }) => href)
}

const readRail = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(
    `[...document.querySelectorAll('nav[aria-label="Screens"] a')].filter((each) => each.checkVisibility()).map(({ pathname }) => pathname.replace(/(.)\\/$/, "$1"))`,
  )

const railOf = (role: StaffRole) => allowedTo(role).map((href) => `/desk${href === '/' ? '' : href}`)

/** Collects the requests of the page that are answered 403 from now on. */
function noteRefusals(page: Page): string[] {
  const refused: string[] = []
  page.on('response', (response) => {
    if (response.status() === 403) refused.push(`${response.request().method()} ${new URL(response.url()).pathname}`)
  })
  return refused
}

test('every screen of the desk is clean to axe in light and dark, has no words of programs, has everything in sight from 320 to 1440 pixels, and is reached by thumb and keyboard; the rail of the owner leads to each, and none asks for what is refused', async () => {
  const path = `/desk${screenPaths('desk')[0]?.replace(/\/:.*/, '')}`
  const light = await shop.openPage({ as: 'staff owner', path, colorScheme: 'light' })
  const dark = await shop.openPage({ as: 'staff owner', path, colorScheme: 'dark' })
  await untilShown(light)
  const refused = noteRefusals(light)
  expect(await readRail(light)).toEqual(railOf('owner'))
  expect(await walkScreens('desk', light, dark)).toEqual({})
  expect(refused).toEqual([])
})

test('a window 900 pixels high shows the whole rail, and on a phone More counts what waits under it', async () => {
  const page = await shop.openPage({ as: 'staff owner' })
  await untilShown(page)
  await page.setViewportSize({ width: 1280, height: 900 })
  const rail = page.locator('nav[aria-label="Screens"]:has(a[href="/desk/log"])')
  await expect.poll(() => rail.evaluate((each) => each.scrollHeight - each.clientHeight)).toBe(0)
  await page.setViewportSize({ width: 360, height: 740 })
  const more = page.getByRole('link', { name: /^More\s*\d+$/ })
  const waiting = Number((await more.innerText()).replaceAll(/\D/g, ''))
  await more.click()
  const counts = page.getByRole('main').getByRole('link', { name: /\d$/ })
  await expectVisible(counts.filter({ hasText: 'Alarms' }))
  // `innerText` is empty for links far below the window, because the browser has not drawn them yet.
  const shown = (await counts.allTextContents()).map((text) => Number(text.replaceAll(/\D/g, '')))
  expect(shown.reduce((sum, each) => sum + each, 0)).toBe(waiting)
})

// The owner is left out, because the test above opens every screen as the owner.
describe.each(staffRoles.filter((role) => role !== 'owner'))('the desk of %s', (role) => {
  test('leads where the table of permissions says and nowhere else, and asks for nothing that is refused', async () => {
    const allowed = allowedTo(role)
    const page = await shop.openPage({ as: `staff ${role}`, path: `/desk${allowed[0]}` })
    await untilShown(page)
    const refused = noteRefusals(page)
    expect(await readRail(page)).toEqual(railOf(role))
    for (const href of allowed) await goTo(page, 'desk', href)
    expect(refused).toEqual([])
  })
})

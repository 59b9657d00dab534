import { expect, test } from 'vitest'
import { listAxeViolations } from './expect-no-axe-violations.ts'
import { listLowContrast } from './list-low-contrast.ts'
import { untilShown } from './look-at-screen.ts'
import { screenPaths } from './screen-paths.ts'
import { setUpShopInBrowser } from './set-up-shop-in-browser.ts'
import { goTo, lookAtOthers, lookAtPhone, onlyFound, walkScreens } from './walk-screens.ts'
import { writeHardTexts } from './write-hard-texts.ts'

/** The demo's account, so that lists are filled. */
const shop = setUpShopInBrowser({ isDemo: true, prepare: ({ db }) => writeHardTexts(db) })

test('every screen is clean to axe in light and dark, has no words of programs, has everything in sight from 320 to 1440 pixels, and is reached by thumb and keyboard', async () => {
  const light = await shop.openPage({ as: 'owner', colorScheme: 'light' })
  const dark = await shop.openPage({ as: 'owner', colorScheme: 'dark' })
  expect(await walkScreens('app', light, dark)).toEqual({})
})

test.each(['/', '/register', '/forgot-password'])('%s is clean for somebody who is not signed in', async (path) => {
  const light = await shop.openPage({ path: `/app${path}` })
  const dark = await shop.openPage({ path: `/app${path}`, colorScheme: 'dark' })
  await Promise.all([untilShown(light), untilShown(dark)])
  expect([onlyFound(await lookAtPhone(light)), onlyFound(await lookAtOthers(dark))]).toEqual([{}, {}])
})

test('every screen of a suspended account is clean to axe', async () => {
  await shop.db.updateTable('accounts').set({ status: 'suspended' }).where('id', '=', shop.accountId).execute()
  const page = await shop.openPage({ as: 'owner', colorScheme: 'dark' })
  const found: Record<string, readonly string[]> = {}
  for (const path of screenPaths('app').filter((each) => !each.includes('/:'))) {
    await goTo(page, 'app', path)
    const faults = [...(await listAxeViolations(page)), ...(await listLowContrast(page))]
    if (faults.length > 0) found[path] = faults
  }
  expect(found).toEqual({})
})

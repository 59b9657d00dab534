import { expect, test } from 'vitest'
import { untilShown } from './look-at-screen.ts'
import { setUpShopInBrowser } from './set-up-shop-in-browser.ts'
import { lookAtOthers, lookAtPhone, onlyFound, walkScreens } from './walk-screens.ts'
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

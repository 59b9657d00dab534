import { describe, expect, test } from 'vitest'
import { permissionsOfStaff, staffRoles } from '../../../server/src/people/permissions/staff-permissions.ts'
import { untilShown } from '../look-at-screen.ts'
import { deskDestinations, screenPaths } from '../screen-paths.ts'
import { setUpShopInBrowser } from '../set-up-shop-in-browser.ts'
import { goTo, walkMilliseconds, walkScreens } from '../walk-screens.ts'

/** The demo with its month, so that lists are filled. */
const shop = setUpShopInBrowser({ isDemo: true, hasStaff: true })

test(
  'every screen of the desk is clean to axe in light and dark, has no sideways scroll at 320 pixels, and is reached by thumb and keyboard',
  async () => {
    const path = `/desk${screenPaths('desk')[0]?.replace(/\/:.*/, '')}`
    const light = await shop.openPage({ as: 'staff owner', path, colorScheme: 'light' })
    const dark = await shop.openPage({ as: 'staff owner', path, colorScheme: 'dark' })
    expect(await walkScreens('desk', light, dark)).toEqual({})
  },
  walkMilliseconds,
)

describe.each(staffRoles)('the desk of %s', (role) => {
  const permissions: readonly string[] = permissionsOfStaff(role)
  const allowed = deskDestinations().filter(({ permission }) => permission === undefined || permissions.includes(permission))

  test(
    'leads where the table of permissions says and nowhere else, and asks for nothing that is refused',
    async () => {
      const page = await shop.openPage({ as: `staff ${role}`, path: `/desk${allowed[0]?.href}` })
      await untilShown(page)
      const refused: string[] = []
      page.on('response', (response) => {
        if (response.status() === 403) refused.push(`${response.request().method()} ${new URL(response.url()).pathname}`)
      })
      const addresses = await page.evaluate<string[]>(
        `[...document.querySelectorAll('nav[aria-label="Screens"] a')].filter((each) => each.checkVisibility()).map(({ pathname }) => pathname.replace(/(.)\\/$/, "$1"))`,
      )
      expect(addresses).toEqual(allowed.map(({ href }) => `/desk${href === '/' ? '' : href}`))
      for (const { href } of allowed) await goTo(page, 'desk', href)
      expect(refused).toEqual([])
    },
    walkMilliseconds,
  )
})

import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectVisible } from '../expect-visible.ts'
import { untilShown } from '../look-at-screen.ts'
import { screenPaths } from '../screen-paths.ts'
import { setUpShopInBrowser } from '../set-up-shop-in-browser.ts'
import { goTo } from '../walk-screens.ts'

const shop = setUpShopInBrowser({ isDemo: true, hasStaff: true })

/** Every screen reads `ofFrame`, so the test breaks them on the first screen only. It breaks none of `notTried`. */
const ofFrame = ['/desk/api/needs', '/desk/api/incidents']
const notTried = ['/desk/api/live', '/desk/api/me']

/** Lists the addresses that a screen reads when it opens. */
async function readsOf(page: Page, path: string): Promise<string[]> {
  const asked = new Set<string>()
  const note = (request: { method: () => string; url: () => string }) => {
    const { pathname } = new URL(request.url())
    if (request.method() === 'GET' && pathname.startsWith('/desk/api/')) asked.add(pathname)
  }
  page.on('request', note)
  await page.goto(`${shop.app.url}/desk${path}`)
  await untilShown(page)
  page.off('request', note)
  return [...asked].filter((pathname) => !notTried.includes(pathname) && (path === '/' || !ofFrame.includes(pathname)))
}

test('whatever a screen of the desk cannot read is said, with a way to try again that reads it', async () => {
  shop.expectFaults(/500/)
  const page = await shop.openPage({ as: 'staff owner' })
  const silent: string[] = []
  for (const path of screenPaths('desk')
    .filter((each) => !/:\w+(?!\w*\?)/.test(each))
    .map((each) => each.replaceAll(/\/:\w+\?/g, ''))) {
    for (const read of await readsOf(page, path)) {
      const isIt = (url: URL) => url.pathname === read
      await page.route(isIt, (route) => route.fulfill({ status: 500, json: { error: { message: 'broken on purpose' } } }))
      await page.reload()
      await untilShown(page)
      const again = page.getByRole('button', { name: 'Try again' })
      if ((await again.count()) === 0) silent.push(`${path} without ${read}`)
      await page.unroute(isIt)
      while ((await again.count()) > 0) {
        await again.first().click()
        await untilShown(page)
      }
    }
  }
  expect(silent).toEqual([])
})

test('stuck orders that cannot be read are said in their place, and never look like none', async () => {
  shop.expectFaults(/500/)
  const page = await shop.openPage({ as: 'staff owner', path: '/desk' })
  await page.route(
    (url) => url.pathname === '/desk/api/orders' && url.searchParams.get('only') === 'stuck',
    (route) => route.fulfill({ status: 500, json: { error: { message: 'broken on purpose' } } }),
  )
  await goTo(page, 'desk', '/orders')
  const alert = page.getByRole('alert').filter({ hasText: 'Orders that need a person could not be read' })
  await expectVisible(alert.getByRole('button', { name: 'Try again' }))
  await expectVisible(page.getByRole('table', { name: 'All orders' }))
})

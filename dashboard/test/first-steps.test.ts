import { expect, test } from 'vitest'
import { expectNoAxeViolations } from './expect-no-axe-violations.ts'
import { expectVisible } from './expect-visible.ts'
import { setUpShopInBrowser } from './set-up-shop-in-browser.ts'

// Whoever has accepted the policy sells by a program.
const shop = setUpShopInBrowser({
  prepare: ({ app }) => app.database.ownerDb.deleteFrom('policy_acceptances').execute(),
})

test.each([
  [360, 'light'],
  [1280, 'dark'],
] as const)(
  'the first steps ask how somebody sells; by hand, no policy and no key is asked for, %i pixels wide, %s',
  async (width, colorScheme) => {
    const page = await shop.openPage({ as: 'owner', width, colorScheme, path: '/app' })
    await expectVisible(page.getByText('How do you sell?'))
    expect(await page.getByRole('list', { name: 'First steps' }).count()).toBe(0)
    await expectNoAxeViolations(page)
    await page.getByRole('button', { name: 'I sell by hand' }).click()
    const steps = page.getByRole('list', { name: 'First steps' })
    await expectVisible(steps.getByText('Make your first sale'))
    expect(await steps.getByText(/policy|key/i).count()).toBe(0)
    await expectNoAxeViolations(page)
    await page.reload()
    await page.getByRole('button', { name: 'My program sells' }).click()
    await expectVisible(steps.getByText('Accept the developer policy'))
    await expectVisible(steps.getByText('Make a key'))
  },
)

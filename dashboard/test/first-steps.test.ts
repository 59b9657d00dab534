import { afterAll, expect, test } from 'vitest'
import { stampMode } from '../../server/src/platform/database/stamp-mode.ts'
import { createTestDatabase, type TestDatabase } from '../../server/test/test-database.ts'
import { expectNoAxeViolations } from './expect-no-axe-violations.ts'
import { expectVisible } from './expect-visible.ts'
import { setUpShopInBrowser } from './set-up-shop-in-browser.ts'

let testSide: TestDatabase
afterAll(() => testSide.drop())

// Deletes the accepted policy. The app takes an account that has accepted it for one that sells by a program, and does not ask.
const shop = setUpShopInBrowser({
  environment: async () => {
    testSide = await createTestDatabase()
    await stampMode(testSide.db, 'test')
    // Nothing listens on this port: the test buys nothing, so the API of the test side is never called.
    return { TEST_API_URL: 'http://127.0.0.1:9', TEST_DATABASE_URL: testSide.applicationUrl }
  },
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
    await page.getByRole('button', { name: 'Steps for a program' }).click()
    await expectVisible(steps.getByText('Accept the developer policy'))
    await expectVisible(steps.getByText('Make a key'))
  },
)

test('where somebody’s program sells, the first step is a test key, which is made at once and has play money', async () => {
  const page = await shop.openPage({ as: 'owner', width: 360, path: '/app' })
  await page.getByRole('button', { name: 'My program sells' }).click()
  const steps = page.getByRole('list', { name: 'First steps' })
  await steps.getByRole('listitem').first().getByRole('link', { name: 'Try it with a test key' }).click()
  const standard = page.getByRole('region', { name: 'Standard key' })
  await standard.getByRole('button', { name: 'Make a test key' }).click()
  expect(await page.getByRole('status', { name: 'Your key' }).innerText()).toMatch(/^makola_test_\w{36}$/)
  await expectNoAxeViolations(page)
  await page.getByRole('button', { name: 'I have kept it' }).click()
  await page.goto(`${shop.app.url}/app/developer/test`)
  await expectVisible(standard.getByText('makola_test_…'))
  await expectVisible(page.getByText('GHS 1,000.00'))
  await expectNoAxeViolations(page)
  await page.goto(`${shop.app.url}/app`)
  await expectVisible(steps.getByText('Accept the developer policy'))
  expect(await steps.getByText('Try it with a test key').count()).toBe(0)
})

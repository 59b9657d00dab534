import type { Locator } from 'playwright-core'
import { expect } from 'vitest'

/** Waits until it is visible. Fails at once when there are several. */
export async function expectVisible(locator: Locator): Promise<void> {
  await locator.waitFor()
  expect(await locator.isVisible()).toBe(true)
}

import type { Locator } from 'playwright-core'
import { expect } from 'vitest'

/** Waits until somebody sees it, and only one of it. */
export async function expectVisible(locator: Locator): Promise<void> {
  await locator.waitFor()
  expect(await locator.isVisible()).toBe(true)
}

import type { Locator } from 'playwright-core'
import { expect } from 'vitest'

/** Waits until it is visible. Fails at once when there are several. */
export async function expectVisible(locator: Locator): Promise<void> {
  await expect(locator.waitFor()).resolves.toBeUndefined()
}

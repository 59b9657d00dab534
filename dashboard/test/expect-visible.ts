import type { Locator } from 'playwright-core'
import { expect } from 'vitest'

/** Waits until the element is visible. Fails at once when several elements match. */
export async function expectVisible(locator: Locator): Promise<void> {
  await expect(locator.waitFor()).resolves.toBeUndefined()
}

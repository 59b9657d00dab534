import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Every rule of axe holds on the page as it is now: labels, contrast, landmarks, one first heading, and so on. */
export async function expectNoAxeViolations(page: Page): Promise<void> {
  // A colour in the middle of a transition is nobody's colour.
  // Asked from outside: the policy of the pages forbids a function that waits inside.
  await expect
    .poll(() => page.evaluate<boolean>('document.getAnimations().every(({ playState }) => playState !== "running")'))
    .toBe(true)
  if (!(await page.evaluate<boolean>('"axe" in globalThis'))) await page.evaluate(axeSource)
  const { violations } = await page.evaluate<AxeResults>('axe.run(document)')
  const told = violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${help}\n${html}\n${failureSummary}`),
  )
  expect({ url: page.url(), told }).toEqual({ url: page.url(), told: [] })
}

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Result } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * What axe finds on the page as it is now.
 *
 * @param rules the rules it is held to; all if left out
 */
export async function listAxeViolations(page: Page, rules?: readonly string[]): Promise<string[]> {
  // A colour in the middle of a transition is nobody's colour, and a transition begins with the next frame.
  await page.evaluate(`new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    .then(() => Promise.all(
      document.getAnimations()
        .filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity)
        .map(({ finished }) => finished.catch(() => undefined))
    ))
    .then(() => undefined)`)
  if (!(await page.evaluate<boolean>('"axe" in globalThis'))) await page.evaluate(axeSource)
  const options = { resultTypes: ['violations'], ...(rules && { runOnly: { type: 'rule', values: rules } }) }
  // All that axe says of what is in order would take longer to bring here than to find.
  const violations = await page.evaluate<Result[]>(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  )
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${help}\n${html}\n${failureSummary}`),
  )
}

/** Every rule of axe holds on the page as it is now: labels, contrast, landmarks, one first heading, and so on. */
export async function expectNoAxeViolations(page: Page): Promise<void> {
  const url = page.url()
  expect({ url, found: await listAxeViolations(page) }).toEqual({ url, found: [] })
}

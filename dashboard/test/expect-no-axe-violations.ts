import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Result } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * Lists the faults that axe, a checker of accessibility, finds on the page.
 *
 * @param rules the rules to check; all if left out
 */
export async function listAxeViolations(page: Page, rules?: readonly string[]): Promise<string[]> {
  // Waits until transitions have ended, because axe would measure a colour between two. A transition begins with the next
  // frame.
  await page.evaluate(`new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    .then(() => Promise.all(
      document.getAnimations()
        .filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity)
        .map(({ finished }) => finished.catch(() => undefined))
    ))
    .then(() => undefined)`)
  if (!(await page.evaluate<boolean>('"axe" in globalThis'))) await page.evaluate(axeSource)
  const options = { resultTypes: ['violations'], ...(rules && { runOnly: { type: 'rule', values: rules } }) }
  // Asks for violations only: copying axe's list of passed checks from the browser takes longer than the checks.
  const violations = await page.evaluate<Result[]>(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  )
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${help}\n${html}\n${failureSummary}`),
  )
}

/** Expects that the page breaks no rule of axe: labels, contrast, landmarks, one first heading, and so on. */
export async function expectNoAxeViolations(page: Page): Promise<void> {
  const url = page.url()
  expect({ url, found: await listAxeViolations(page) }).toEqual({ url, found: [] })
}

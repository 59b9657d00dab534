import { Broken, Untried } from './answers.ts'
import { Api, type Target } from './api.ts'
import { account } from './chapters/account.ts'
import { afa } from './chapters/afa.ts'
import { airtime } from './chapters/airtime.ts'
import { batches, numbers, packages, purchases } from './chapters/data.ts'
import { general } from './chapters/general.ts'
import { resultsChecker } from './chapters/results-checker.ts'
import { sms } from './chapters/sms.ts'
import { utilities } from './chapters/utilities.ts'
import type { Chapter } from './check.ts'

export const chapters: readonly Chapter[] = [
  ...general,
  account,
  packages,
  numbers,
  purchases,
  batches,
  airtime,
  resultsChecker,
  afa,
  sms,
  utilities,
]

export type Finding = {
  readonly chapter: string
  readonly section: string
  readonly sentence: string
  readonly outcome: 'holds' | 'broken' | 'untried'
  /** The answer that broke the rule, or the reason why the check was skipped. */
  readonly detail: string
  readonly seconds: number
}

export type Report = {
  readonly runId: string
  readonly baseUrl: string
  readonly spent: number
  readonly findings: readonly Finding[]
}

/** An answer that does not come, or that lacks the part that a check reads, breaks the sentence too. */
function outcomeOf(error: unknown): Pick<Finding, 'outcome' | 'detail'> {
  const detail = error instanceof Error ? error.message : String(error)
  if (error instanceof Untried) return { outcome: 'untried', detail }
  if (error instanceof Broken) return { outcome: 'broken', detail }
  const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : ''
  return { outcome: 'broken', detail: `${detail}${cause}` }
}

/**
 * Tries every sentence, one after the other.
 *
 * @param only the names of the chapters; all if left out
 * @param about words of the sentences; all if left out
 * @param note told of each finding as it is made
 */
export async function runChecks(
  target: Target,
  { only, about = '', note }: { only?: readonly string[] | undefined; about?: string; note?: (finding: Finding) => void } = {},
): Promise<Report> {
  const api = new Api(target)
  const findings: Finding[] = []
  for (const { name, checks } of chapters) {
    if (only && !only.includes(name)) continue
    for (const { section, sentence, attempt } of checks) {
      if (!sentence.includes(about)) continue
      const begun = Date.now()
      const result = await attempt(api).then(() => ({ outcome: 'holds', detail: '' }) as const, outcomeOf)
      const finding = { chapter: name, section, sentence, ...result, seconds: (Date.now() - begun) / 1_000 }
      findings.push(finding)
      note?.(finding)
    }
  }
  return { runId: target.runId, baseUrl: target.baseUrl, spent: api.spent, findings }
}

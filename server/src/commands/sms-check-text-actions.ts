import { readConfig } from '../config.ts'
import { readSetting } from '../platform/settings/settings.ts'
import { smsContentRules, smsReceiptScore } from '../products/sms/sms.settings.ts'
import { findBlockingRule } from '../products/sms/text/find-blocking-rule.ts'
import { type ContentFigures, measureContentPolicy } from '../products/sms/text/measure-content-policy.ts'
import { scoreReceipt } from '../products/sms/text/score-receipt.ts'
import { UsageError } from './frame/command-error.ts'
import { printResult } from './frame/print-result.ts'
import { withDatabase } from './frame/with-database.ts'

const readPolicy = () =>
  withDatabase(readConfig(), async (db) => ({
    rules: await readSetting(db, smsContentRules),
    receiptScoreMin: await readSetting(db, smsReceiptScore),
  }))

async function checkText(text: string): Promise<void> {
  const rule = findBlockingRule(text, await readPolicy()) ?? null
  const score = scoreReceipt(text)
  const decision = rule === null ? 'This text may be sent.' : `This text is blocked as ${JSON.stringify(rule)}.`
  printResult({ blocked_by: rule, receipt_score: score }, `${decision} Its score as a receipt is ${score}.`)
}

function describeFigures({ set, fakes, missed, honest, blocked }: ContentFigures): string {
  return [
    `${set}: ${missed.length} of ${fakes} fakes pass, ${blocked.length} of ${honest} honest texts are blocked`,
    ...missed.map((text) => `  passes: ${text}`),
    ...blocked.map(({ text, rule }) => `  blocked by ${rule}: ${text}`),
  ].join('\n')
}

/** Prints the mistakes of the content policy on texts whose right decision is known. */
async function checkCorpus(): Promise<void> {
  const sets = await measureContentPolicy(await readPolicy())
  const sum = (of: (set: ContentFigures) => number) => sets.reduce((total, set) => total + of(set), 0)
  const totals = {
    fakes: sum((set) => set.fakes),
    missed: sum((set) => set.missed.length),
    honest: sum((set) => set.honest),
    blocked: sum((set) => set.blocked.length),
  }
  const percent = (part: number, whole: number) => `${((part / whole) * 100).toFixed(1)} %`
  const last = `All: ${percent(totals.missed, totals.fakes)} of ${totals.fakes} fakes pass, ${percent(totals.blocked, totals.honest)} of ${totals.honest} honest texts are blocked. Each set was judged by what was learnt from the others.`
  printResult({ ...totals, sets }, [...sets.map(describeFigures), last].join('\n'))
}

/** @throws UsageError when neither a text nor `--corpus` is given, or both are */
export async function runCheck(text: string | undefined, options: { corpus?: boolean }): Promise<void> {
  if ((text === undefined) === (options.corpus !== true)) throw new UsageError('Give a text in quotes, or --corpus.')
  await (text === undefined ? checkCorpus() : checkText(text))
}

import { readConfig } from '../config.ts'
import { readSetting } from '../platform/settings/settings.ts'
import { smsContentRules } from '../products/sms/sms.settings.ts'
import { findBlockingRule } from '../products/sms/text/find-blocking-rule.ts'
import { type ContentFigures, measureContentRules } from '../products/sms/text/measure-content-rules.ts'
import { UsageError } from './frame/command-error.ts'
import { printResult } from './frame/print-result.ts'
import { withDatabase } from './frame/with-database.ts'

const readRules = () => withDatabase(readConfig(), (db) => readSetting(db, smsContentRules))

function describeFigures(name: string, { fakes, missed, honest, blocked }: ContentFigures): string {
  const share = (part: number, whole: number) => `${part} of ${whole} (${((part / whole) * 100).toFixed(1)} %)`
  return [
    `${name}: fakes that pass ${share(missed.length, fakes)}, honest texts that are blocked ${share(blocked.length, honest)}`,
    ...missed.map((text) => `  passes: ${text}`),
    ...blocked.map(({ text, rule }) => `  blocked by ${rule}: ${text}`),
  ].join('\n')
}

/** `makola sms check-text TEXT`: what the content policy says of a text. */
export async function runCheckText(text: string): Promise<void> {
  const rule = findBlockingRule(text, await readRules()) ?? null
  printResult(
    { blocked_by: rule },
    rule === null ? 'This text may be sent.' : `This text is blocked by the rule ${rule} of the setting sms_content_rules.`,
  )
}

/** `makola sms check-text --corpus`: how the content policy judges texts of which the truth is known. */
export async function runCheckCorpus(): Promise<void> {
  const { known, heldOut } = await measureContentRules(await readRules())
  const text = [describeFigures('Texts the rules were written with', known), describeFigures('Texts kept apart', heldOut)]
  printResult({ known, held_out: heldOut }, text.join('\n'))
}

/** Which of the two is asked for. @throws UsageError when neither or both are */
export async function runCheck(text: string | undefined, options: { corpus?: boolean }): Promise<void> {
  if ((text === undefined) === (options.corpus !== true)) {
    throw new UsageError('Give a text in quotes, or --corpus.')
  }
  await (text === undefined ? runCheckCorpus() : runCheckText(text))
}

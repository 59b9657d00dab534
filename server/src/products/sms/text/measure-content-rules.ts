import { readFile } from 'node:fs/promises'
import type { ContentRule } from './content-rules.ts'
import { findBlockingRule } from './find-blocking-rule.ts'

/** How rules judged some texts: fakes that passed and honest texts that were blocked are their mistakes. */
export type ContentFigures = {
  readonly fakes: number
  readonly missed: readonly string[]
  readonly honest: number
  readonly blocked: readonly { readonly text: string; readonly rule: string }[]
}

export type ContentMeasure = {
  /** The texts that the rules of this project were written with. */
  readonly known: ContentFigures
  /** Texts of another author, which the rules were written without: only these say how good they are. */
  readonly heldOut: ContentFigures
}

async function readTexts(name: string): Promise<string[]> {
  const text = await readFile(new URL(`content-corpus/${name}.txt`, import.meta.url), 'utf8')
  return text.split('\n').filter((line) => line !== '')
}

function judge(fakes: readonly string[], honest: readonly string[], rules: readonly ContentRule[]): ContentFigures {
  return {
    fakes: fakes.length,
    missed: fakes.filter((text) => findBlockingRule(text, rules) === undefined),
    honest: honest.length,
    blocked: honest.flatMap((text) => {
      const rule = findBlockingRule(text, rules)
      return rule === undefined ? [] : [{ text, rule }]
    }),
  }
}

/** Measures rules on the texts beside this file: imitations of receipts of telecoms and banks, and what businesses write. */
export async function measureContentRules(rules: readonly ContentRule[]): Promise<ContentMeasure> {
  return {
    known: judge(await readTexts('fakes'), await readTexts('honest'), rules),
    heldOut: judge(await readTexts('held-out-fakes'), await readTexts('held-out-honest'), rules),
  }
}

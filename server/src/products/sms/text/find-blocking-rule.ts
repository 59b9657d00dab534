import type { ContentRule } from './content-rules.ts'
import { type FoldedText, foldLetters, foldText } from './fold-text.ts'
import { scoreReceipt } from './score-receipt.ts'
import type { ReceiptModel } from './train-receipt-model.ts'

/** What may stand between two letters of a spaced-out word: at most four characters that are neither letters nor digits. */
const gap = String.raw`[^\p{L}\p{N}]{0,4}`

/**
 * A phrase of at least this many letters is also found inside other words: people glue words together to avoid the
 * filter, and such a long phrase is in no word by chance.
 */
const gluedLettersMin = 9

/**
 * A number with at least one digit, where O, I and L may replace digits. Or only such letters, when they do not begin a
 * word.
 */
const figure = String.raw`(?:(?:[oil]${gap}){0,4}\d|(?:[oil]${gap}){2,6}(?!\p{L}))`
const ghs = String.raw`g${gap}h${gap}[sc¢₵$]`
const cedi = String.raw`(?:g${gap}h${gap}a${gap}n${gap}a${gap})?c${gap}e${gap}d${gap}i`

/** An amount: cedis before or after a number. "laugh 5" and "though I" are no amounts, but "forGHS5" is one. */
const amount = new RegExp(
  [
    String.raw`(?:(?<!\p{L})${ghs}|(?<![aeiou])gh[sc$]|[¢₵$])${gap}${figure}`,
    String.raw`(?<!\p{L})gh[oil]{0,4}\d`,
    String.raw`(?:\d[oil]{0,4}|(?<!\p{L})[oil]{2,6})${gap}(?:${ghs}|${cedi}|[¢₵$])`,
  ].join('|'),
  'u',
)

type Matcher = (text: FoldedText) => boolean

const matchers = new Map<string, Matcher>()

function compile(phrase: string): Matcher {
  if (phrase === '{amount}') return ({ plain }) => amount.test(plain)
  const letters = foldLetters(foldText(phrase).plain).replaceAll(/[^\p{L}\p{N}]/gu, '')
  const spaced = Array.from(letters).join(gap)
  const bounded = String.raw`(?<![\p{L}\p{N}])${spaced}(?![\p{L}\p{N}])`
  const pattern = new RegExp(letters.length >= gluedLettersMin ? spaced : bounded, 'u')
  return ({ letters: text }) => pattern.test(text)
}

function matcherOf(phrase: string): Matcher {
  const known = matchers.get(phrase)
  if (known) return known
  const made = compile(phrase)
  matchers.set(phrase, made)
  return made
}

/** What texts are held to. */
export type ContentPolicy = {
  readonly rules: readonly ContentRule[]
  /** A text with this score or more counts as a telecom's receipt. */
  readonly receiptScoreMin: number
  /** A model to use instead of our own. */
  readonly model?: ReceiptModel
}

/**
 * Finds what blocks a text: the name of a rule, or `receipt`; undefined when it may be sent (contract, SMS send, rule 5;
 * decision M4: a text that the content policy blocks).
 */
export function findBlockingRule(text: string, { rules, receiptScoreMin, model }: ContentPolicy): string | undefined {
  const folded = foldText(text)
  const rule = rules.find(({ all }) => all.every((group) => group.some((phrase) => matcherOf(phrase)(folded))))
  return rule?.name ?? (scoreReceipt(text, model) >= receiptScoreMin ? 'receipt' : undefined)
}

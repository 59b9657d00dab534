import type { ContentRule } from './content-rules.ts'
import { foldLetters, foldText } from './fold-text.ts'
import { scoreReceipt } from './score-receipt.ts'
import type { ReceiptModel } from './train-receipt-model.ts'

/** The most characters, neither letters nor digits, between two letters of a spaced-out word. */
const gapMax = 4

const gap = String.raw`[^\p{L}\p{N}]{0,${gapMax}}`

/**
 * A phrase of at least this many letters is also found inside other words: people join words to avoid the filter, and such a
 * long phrase occurs in no word by chance.
 */
const gluedLettersMin = 9

/** A number in which O, I and L may replace digits. Without any digit, the letters count only when no other letter follows. */
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

const lettersAndDigits = /[\p{L}\p{N}]+/gu

/**
 * The letters and digits of a text without the signs between them, so that one search finds a phrase. A space stays where
 * the gap is larger than in a spaced-out word. Edges are the places where words begin or end.
 */
type JoinedText = { readonly joined: string; readonly edges: ReadonlySet<number> }

function joinWords(text: string): JoinedText {
  const edges = new Set([0])
  let joined = ''
  let wordEnd = 0
  for (const { 0: word, index } of text.matchAll(lettersAndDigits)) {
    if (index > wordEnd) edges.add(joined.length)
    if (Array.from(text.slice(wordEnd, index)).length > gapMax) {
      joined += ' '
      edges.add(joined.length)
    }
    joined += word
    wordEnd = index + word.length
  }
  return { joined, edges: edges.add(joined.length) }
}

function hasPhrase({ joined, edges }: JoinedText, letters: string): boolean {
  // A phrase of signs alone has nothing that could be searched. `indexOf` would find it in every text.
  if (letters === '') return false
  for (let at = joined.indexOf(letters); at >= 0; at = joined.indexOf(letters, at + 1)) {
    if (letters.length >= gluedLettersMin || (edges.has(at) && edges.has(at + letters.length))) return true
  }
  return false
}

const lettersOfPhrases = new Map<string, string>()

/** The searched letters of a phrase, folded like the texts. */
function lettersOf(phrase: string): string {
  const known = lettersOfPhrases.get(phrase)
  if (known !== undefined) return known
  const letters = foldLetters(foldText(phrase).plain).replaceAll(/[^\p{L}\p{N}]/gu, '')
  lettersOfPhrases.set(phrase, letters)
  return letters
}

/** Returns a function that tests whether the text contains a phrase. */
function createPhraseCheck(text: string): (phrase: string) => boolean {
  const { plain, letters } = foldText(text)
  const words = joinWords(letters)
  return (phrase) => (phrase === '{amount}' ? amount.test(plain) : hasPhrase(words, lettersOf(phrase)))
}

export type ContentPolicy = {
  readonly rules: readonly ContentRule[]
  /** A text with this score or more counts as a telecom's receipt. */
  readonly receiptScoreMin: number
  /** Absent: the shipped model. */
  readonly model?: ReceiptModel
}

/**
 * Finds what blocks a text: the name of a rule, or `receipt`; undefined when it may be sent (contract, SMS send, 5;
 * decision M4: a text that the content policy blocks).
 */
export function findBlockingRule(text: string, { rules, receiptScoreMin, model }: ContentPolicy): string | undefined {
  const hasRulePhrase = createPhraseCheck(text)
  const rule = rules.find(({ all }) => all.every((group) => group.some(hasRulePhrase)))
  return rule?.name ?? (scoreReceipt(text, model) >= receiptScoreMin ? 'receipt' : undefined)
}

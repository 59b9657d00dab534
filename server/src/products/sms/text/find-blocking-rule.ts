import type { ContentRule } from './content-rules.ts'
import { foldLetters, foldText } from './fold-text.ts'
import { scoreReceipt } from './score-receipt.ts'
import type { ReceiptModel } from './train-receipt-model.ts'

/** Between two letters of a spaced-out word stand at most so many characters that are neither letters nor digits. */
const gapMax = 4

const gap = String.raw`[^\p{L}\p{N}]{0,${gapMax}}`

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

const lettersAndDigits = /[\p{L}\p{N}]+/gu

/**
 * The letters and digits of a text without what stands between them, so that a phrase is found by one search. A space is
 * kept where more characters stand between two letters than a spaced-out word has. Edges are the places where words begin or end.
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

function holdsPhrase({ joined, edges }: JoinedText, letters: string): boolean {
  for (let at = joined.indexOf(letters); at >= 0; at = joined.indexOf(letters, at + 1)) {
    if (letters.length >= gluedLettersMin || (edges.has(at) && edges.has(at + letters.length))) return true
  }
  return false
}

const lettersOfPhrases = new Map<string, string>()

/** The letters of a phrase as they are searched: folded as the texts are. */
function lettersOf(phrase: string): string {
  const known = lettersOfPhrases.get(phrase)
  if (known !== undefined) return known
  const letters = foldLetters(foldText(phrase).plain).replaceAll(/[^\p{L}\p{N}]/gu, '')
  lettersOfPhrases.set(phrase, letters)
  return letters
}

/** Says of each phrase whether the text holds it. */
function openText(text: string): (phrase: string) => boolean {
  const { plain, letters } = foldText(text)
  const words = joinWords(letters)
  return (phrase) => (phrase === '{amount}' ? amount.test(plain) : holdsPhrase(words, lettersOf(phrase)))
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
  const holds = openText(text)
  const rule = rules.find(({ all }) => all.every((group) => group.some(holds)))
  return rule?.name ?? (scoreReceipt(text, model) >= receiptScoreMin ? 'receipt' : undefined)
}

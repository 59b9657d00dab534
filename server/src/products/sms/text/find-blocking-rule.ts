import type { ContentRule } from './content-rules.ts'
import { correctSpelling } from './correct-spelling.ts'
import { type FoldedText, foldLetters, foldText } from './fold-text.ts'

/** What may stand between two letters of a spaced-out word: anything that is neither letter nor digit, but not a whole line. */
const gap = String.raw`[^\p{L}\p{N}]{0,4}`

/** A phrase this long is found inside other words too: glued words are a way around spacing, and no word holds it by chance. */
const gluedLettersMin = 10

/** At least one digit, among O, I and L that stand in for digits; or only those, when they are no beginning of a word. */
const figure = String.raw`(?:(?:[oil]${gap}){0,4}\d|(?:[oil]${gap}){2,6}(?!\p{L}))`
const ghs = String.raw`g${gap}h${gap}[sco¢₵$]`
const cedi = String.raw`(?:g${gap}h${gap}a${gap}n${gap}a${gap})?c${gap}e${gap}d${gap}i`

/** Cedis before or behind a number. They begin a word: "laugh 5" and "though I" are no amounts, glued "forGHS5" is one. */
const amount = new RegExp(
  [
    String.raw`(?:(?<!\p{L})${ghs}|(?<![aeiou])gh[sc$]|[¢₵$])${gap}${figure}`,
    String.raw`(?<!\p{L})gh[oil]{0,4}\d`,
    String.raw`(?:ten|teen|ty|hundred|thousand)[^\p{L}\p{N}]{1,3}(?:ghana )?cedi`,
    String.raw`(?:\d[oil]{0,4}|(?<!\p{L})[oil]{2,6})${gap}(?:${ghs}|${cedi}|[¢₵$]|gh(?!\p{L}))`,
    // Money is written with two decimals also where its currency is left out.
    String.raw`(?<![\p{L}\d.])\d[\d,]*\.\d{2}(?![\d.])`,
  ].join('|'),
  'u',
)

/** A bare number is money where a receipt's words say that it moved. */
const movedNumber =
  /(?<!\p{L})(?:received|payment of|transfer of|in:)[^\p{L}\p{N}]{0,2}\d{2,}|(?<![\p{L}\d])\d{2,} from(?!\p{L})/u

/** Words behind "from" or "by" that name no payer: times, means of payment, ourselves. */
const noPayer =
  'now|today|tomorrow|yesterday|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|june|july|august|september|october|november|december|us|our|the|any|all|only|just|as|ghs|gh|with|this|that|next|last|morning|noon|midnight|momo|card|cash|bank|cheque|transfer|phone|sms|email|reply|members|your|end|half'

/** Who paid: a name or a number behind "from" or "by", or a label. */
const payer = new RegExp(
  [
    String.raw`(?<!\p{L})(?:from|by|via|who)[^\p{L}\p{N}]{0,3}(?!(?:${noPayer})(?!\p{L}))(?:(?:\p{L}[. ]{1,2})?\p{L}{2,}|\+?\d{6,})`,
    String.raw`(?:<-|<<)[^\p{L}\p{N}]{0,2}[\p{L}\p{N}]{3,}`,
    // A telephone number beside the amount is the payer's.
    String.raw`(?<!\d)(?:0|233)\d{9}(?!\d)(?= ?\(|[^\n]{0,40}(?:sent|paid))`,
    String.raw`(?<!\p{L})(?:sender|depositor|originator|payer)(?!\p{L})`,
    String.raw`(?<!\p{L})to[^\p{L}\p{N}]{0,3}(?:\p{L}+[. ]{1,2}){0,3}\+?\d{9,}`,
  ].join('|'),
  'u',
)

/** Where money came from or went, as far as the reader is concerned: a payer, "to you", an account of the reader's. */
const party = new RegExp(
  [
    payer.source,
    String.raw`(?<!\p{L})agent(?!\p{L})`,
    String.raw`(?<!\p{L})to (?:you|your)(?!\p{L})`,
    String.raw`(?<!\p{L})your (?:\p{L}+ ){0,3}(?:account|wallet|momo|line|number)(?!\p{L})(?! balance)`,
  ].join('|'),
  'u',
)

/** A transaction number: one of its names, or an id of many digits. */
const transaction = new RegExp(
  [
    String.raw`(?<!\p{L})(?:financial )?(?:transaction|transactions|transfer|trans|tran|tr|trx|txn|tnx|tx)[^\p{L}\p{N}]{0,3}(?:id|ld|1d|no|n0|num|number|ref|reference|code|#)(?!\p{L})`,
    String.raw`(?<!\p{L})(?:trxid|txid|txnid|transid|trid|trnid|fin id|ft id|momo id)(?!\p{L})`,
    String.raw`(?<!\p{L})t[^\p{L}\p{N}]?id(?!\p{L})`,
    String.raw`(?<!\p{L})(?:id|ld|ref|reference|tx|txn|trx|tnx)[^\p{L}\p{N}]{0,3}\p{L}{0,4}\d{5,}`,
    String.raw`(?<!\p{L})no[^\p{L}\p{N}]{0,3}\d{8,}`,
    String.raw`(?<!\p{L})(?:e[^\p{L}\p{N}]?levy|transaction fee|tax charged|fee charged)(?!\p{L})`,
  ].join('|'),
  'u',
)

type Matcher = (text: ReadText) => boolean

/** A text as its readers see it, and with the spelling of the rules' own words mended. */
type ReadText = FoldedText & { readonly spelled: string }

const placeholders: Readonly<Record<string, Matcher>> = {
  '{amount}': ({ plain, spelled }) => amount.test(plain) || amount.test(spelled) || movedNumber.test(spelled),
  '{payer}': ({ spelled }) => payer.test(spelled),
  '{party}': ({ spelled }) => party.test(spelled),
  '{transaction}': ({ plain, spelled }) => transaction.test(plain) || transaction.test(spelled),
}

const matchers = new Map<string, Matcher>()

function compile(phrase: string): Matcher {
  const placeholder = placeholders[phrase]
  if (placeholder) return placeholder
  const letters = foldLetters(foldText(phrase).plain).replaceAll(/[^\p{L}\p{N}]/gu, '')
  const spaced = Array.from(letters).join(gap)
  const bounded = String.raw`(?<![\p{L}\p{N}])${spaced}(?![\p{L}\p{N}])`
  const pattern = new RegExp(letters.length >= gluedLettersMin ? spaced : bounded, 'u')
  return ({ letters: text, spelled }) => pattern.test(text) || pattern.test(foldLetters(spelled))
}

function matcherOf(phrase: string): Matcher {
  const known = matchers.get(phrase)
  if (known) return known
  const made = compile(phrase)
  matchers.set(phrase, made)
  return made
}

/** What stands behind "Reference:" is the payer's own word, which a telecom repeats in its receipts. */
const payersWord = /(?<!\p{L})(?:(?:reference|ref|rf|desc|des|note)[^\p{L}\p{N}\n]{1,3}\p{L}+|by order of)/gu

/** Words that excuse a text are looked for as they are written: nobody honest spaces them out. */
function excuses(phrases: readonly string[], { plain }: ReadText): boolean {
  const words = ` ${plain.replaceAll(payersWord, ' ').replaceAll(/[^\p{L}\p{N}]+/gu, ' ')} `
  return phrases.some((phrase) => words.includes(` ${phrase} `))
}

/**
 * Finds the first rule that blocks a text; undefined when it may be sent (contract, SMS send, rule 5; decision M4: blocked
 * campaigns cost nothing).
 */
export function findBlockingRule(text: string, rules: readonly ContentRule[]): string | undefined {
  const folded = foldText(text)
  const read: ReadText = { ...folded, spelled: correctSpelling(folded) }
  const holds = (phrases: readonly string[]) => phrases.some((phrase) => matcherOf(phrase)(read))
  return rules.find(({ all, unless }) => all.every(holds) && !(unless && excuses(unless, read)))?.name
}

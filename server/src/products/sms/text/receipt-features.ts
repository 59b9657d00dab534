import { correctSpelling } from './correct-spelling.ts'
import { foldLetters, foldText } from './fold-text.ts'

/** Replaces each number by its kind: amount of money, telephone number, long number or short number. */
const figures: readonly (readonly [RegExp, string])[] = [
  [
    /(?:gh[sco¢₵$]?|[¢₵$])[\s:]*\d[\d,]*(?:\.\d+)?|\d[\d,]*(?:\.\d+)?\s*(?:gh[sc]?(?!\p{L})|cedis?|[¢₵])|(?<![\p{L}\d])\d[\d,]*\.\d\d(?!\d)/gu,
    ' #amount ',
  ],
  [/(?<!\d)(?:0|233)\d{9}(?!\d)/g, ' #telephone '],
  [/(?<![\p{L}\d])\p{L}{0,4}\d{5,}[\p{L}\d]*/gu, ' #long '],
  [/\d+/g, ' #short '],
]

const amountsMax = 3

/**
 * The features of a text: its words, each pair of neighbouring words, and how many amounts it has, up to `amountsMax`.
 * Spelling, look-alike letters, capitals and numbers are normalised first.
 */
export function receiptFeatures(text: string): ReadonlySet<string> {
  const spelled = correctSpelling(foldText(text))
  const withoutFigures = figures.reduce((read, [figure, name]) => read.replaceAll(figure, name), spelled)
  const words = (withoutFigures.match(/#?\p{L}+/gu) ?? []).map(foldLetters)
  const amount = foldLetters('#amount')
  const amounts = words.filter((word) => word === amount).length
  const pairs = words.slice(1).map((word, place) => `${words[place]} ${word}`)
  return new Set([...words, ...pairs, `#amounts ${Math.min(amountsMax, amounts)}`])
}

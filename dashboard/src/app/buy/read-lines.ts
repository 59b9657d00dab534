import { amountWords } from '../../both/money/amount-words.ts'
import { type AmountKind, readAmount } from '../../both/money/read-amount.ts'
import { cleanPhone } from '../../both/phones.ts'
import { repeatWord } from './repeat-word.ts'

/** A line as the person writes it: a number, perhaps a network and a size or amount, and perhaps the word `again`. */
export type WrittenLine = {
  readonly recipient: string
  readonly network: string | undefined
  /** GB or GHS. */
  readonly size: number | undefined
  /** Why the size or amount of the line cannot be read. */
  readonly problem: string | undefined
  readonly isRepeatMeant: boolean
}

/** `024123456 5`: a number and a size with only a space between them. Read together, they would be another phone number. */
const spacedSize = /^(\+?\d{6,}) +(\d{1,3}(?:\.\d+)?(?: ?GB)?)$/i

/** Splits a line at its commas, semicolons and tabs, and at the space in a `spacedSize`. */
export const partsOf = (text: string): string[] =>
  text.split(/[,;\t]/).flatMap((part) => {
    const cell = part.trim().replaceAll(/^"|"$/g, '')
    return spacedSize.exec(cell)?.slice(1) ?? [cell]
  })

/** True when a part of a line looks like a size or an amount, such as `5`, `5 GB` or `GHS 10`. */
export const isSize = (part: string): boolean => /\d/.test(part) && /^[-−]?(?:GHS)?[\d\s.]+(?:GB|GHS)?$/i.test(part)

/**
 * Reads the one size or amount of a line. A comma separates parts, so `0244123904, 12,50` has two numbers, `12` and `50`; it is
 * refused, because neither is what was meant.
 */
function readSize(parts: readonly string[], kind: AmountKind): { size: number | undefined; problem: string | undefined } {
  const [text, another] = parts.filter(isSize)
  if (another !== undefined) return { size: undefined, problem: amountWords.oneEachLine }
  const { amount, problem } = readAmount(text ?? '', kind)
  return { size: amount, problem }
}

/** Reads the field line by line. An empty line gives undefined, so that each line keeps its index. */
export function readLines(text: string, networks: readonly string[], kind: AmountKind): (WrittenLine | undefined)[] {
  return text.split('\n').map((line) => {
    const [first = '', ...rest] = partsOf(line)
    if (first === '') return undefined
    const network = rest.flatMap((part) => networks.find((each) => each.toLowerCase() === part.toLowerCase()) ?? [])[0]
    return { recipient: cleanPhone(first), network, ...readSize(rest, kind), isRepeatMeant: rest.includes(repeatWord) }
  })
}

export function withoutLines(text: string, removedIndexes: readonly number[]): string {
  return text
    .split('\n')
    .filter((_, place) => !removedIndexes.includes(place))
    .join('\n')
}

/** Adds a word to some lines, in place of any word of `instead` in them. */
export function withWord(text: string, lineIndexes: readonly number[], word: string, instead: readonly string[] = []): string {
  return text
    .split('\n')
    .map((line, place) => {
      if (!lineIndexes.includes(place)) return line
      const kept = partsOf(line).filter((part) => part !== '' && !instead.includes(part))
      const [first = '', ...rest] = kept
      return [first, word, ...rest].join(', ')
    })
    .join('\n')
}

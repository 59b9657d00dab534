import { cleanPhone } from '../../both/phones.ts'

/**
 * What a person can write in one line: a number, and perhaps a network, a size or amount, and a word that says that the
 * same line twice is no mistake.
 */
export type WrittenLine = {
  readonly recipient: string
  readonly network: string | undefined
  /** GB or GHS. */
  readonly size: number | undefined
  readonly isRepeatMeant: boolean
}

/** With this word in a line, the person says that the line repeats an earlier one on purpose. */
export const again = 'again'

const partsOf = (text: string): string[] => text.split(/[,;\t]/).map((part) => part.trim().replaceAll(/^"|"$/g, ''))
const isNumber = (text: string): boolean => /^\+?[\d\s().-]{9,}$/.test(text)

/**
 * Cleans a text that was pasted or read from a file. Each line with a number then begins with it, cleaned; several
 * numbers that stood in one line get a line each; and lines that hold only words, such as the names of columns, are
 * left out.
 */
export function cleanLines(text: string): string {
  return text
    .split(/\r?\n/)
    .flatMap((line) => {
      const parts = partsOf(line)
      const [first = '', ...rest] = parts
      if (parts.length > 1 && parts.every(isNumber)) return parts.map(cleanPhone)
      if (!/\d/.test(first)) return first === '' || rest.length > 0 || /^[a-z ]+$/i.test(first) ? [] : [first]
      return [[cleanPhone(first), ...rest].filter((part) => part !== '').join(', ')]
    })
    .join('\n')
}

/** Reads the field, one line after the other. Empty lines count, so that a line keeps its place. */
export function readLines(text: string, networks: readonly string[]): (WrittenLine | undefined)[] {
  return text.split('\n').map((line) => {
    const [first = '', ...rest] = partsOf(line)
    if (first === '') return undefined
    const network = rest.flatMap((part) => networks.find((each) => each.toLowerCase() === part.toLowerCase()) ?? [])[0]
    const size = rest.map((part) => Number(part.replace(/\s*(gb|ghs)$/i, ''))).find((number) => number > 0)
    return { recipient: cleanPhone(first), network, size, isRepeatMeant: rest.includes(again) }
  })
}

/** The text without some of its lines. */
export function withoutLines(text: string, places: readonly number[]): string {
  return text
    .split('\n')
    .filter((_, place) => !places.includes(place))
    .join('\n')
}

/** Adds a word to one line of the text. A word of `instead` that stands in the line is replaced. */
export function withWord(text: string, index: number, word: string, instead: readonly string[] = []): string {
  return text
    .split('\n')
    .map((line, at) => {
      if (at !== index) return line
      const kept = partsOf(line).filter((part) => part !== '' && !instead.includes(part))
      const [first = '', ...rest] = kept
      return [first, word, ...rest].join(', ')
    })
    .join('\n')
}

import { phraseLists } from './evidence-phrases.ts'

/** Bytes below it at the beginning are numbers of phrase lists: text begins with a character. 0: text follows as it is. */
const firstCharacter = 32

/** These stand for phrases. Adapters remove control characters from what suppliers say, so they are free. */
const controlCharacters = /\p{Cc}/gu

/** The character of each phrase: first those that UTF-8 writes in one byte. */
const codeAt = (index: number): string => String.fromCharCode(index < 31 ? index + 1 : index - 31 + 0x80)
const indexOf = (code: string): number => (code < ' ' ? code.charCodeAt(0) - 1 : code.charCodeAt(0) - 0x80 + 31)

const newest = Math.max(...phraseLists.keys())
const codeOf = new Map(phraseLists.get(newest)?.map((phrase, index) => [phrase, codeAt(index)]))
const phrases = new RegExp([...codeOf.keys()].map((phrase) => phrase.replaceAll(/[{}[\].?]/g, String.raw`\$&`)).join('|'), 'g')

/**
 * Evidence as `attempt_answers` stores it: the number of the phrase list, then the text with a control character in place of each
 * phrase, in UTF-8. Text without a phrase is stored as it is. The same text gives the same bytes.
 */
export function packEvidence(text: string): Buffer {
  if (text.search(controlCharacters) >= 0) return Buffer.from(`\0${text}`)
  const packed = text.replace(phrases, (phrase) => codeOf.get(phrase) ?? phrase)
  return Buffer.from(packed === text ? text : String.fromCharCode(newest) + packed)
}

/**
 * Reads what `packEvidence` wrote. What cannot be read gives a sentence in its place that says so, because the lists that show
 * evidence must show the rest of an order all the same.
 */
export function readEvidence(stored: Buffer): string {
  const [number = firstCharacter] = stored
  if (number >= firstCharacter) return stored.toString()
  const text = stored.toString('utf8', 1)
  if (number === 0) return text
  const list = phraseLists.get(number)
  if (!list) return `(cannot be read: packed with phrase list ${number}, which this version of Makola does not know)`
  return text.replace(controlCharacters, (code) => list[indexOf(code)] ?? '\ufffd')
}

/** Reads evidence that came inside JSON of the database, as hexadecimal digits of its bytes. */
export const readEvidenceHex = (hex: string): string => readEvidence(Buffer.from(hex, 'hex'))

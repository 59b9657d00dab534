import { phraseLists } from './evidence-phrases.ts'

/**
 * A first byte below this is the number of a phrase list; text that is stored as it is never begins with such a byte. 0: the
 * bytes after it are text as it is.
 */
const firstCharacter = 32

/** In packed text a control character represents a phrase. Adapters remove such characters from suppliers' answers. */
const controlCharacters = /\p{Cc}/gu

/** The character of each phrase: first those that UTF-8 writes in one byte. */
const codeAt = (index: number): string => String.fromCharCode(index < 31 ? index + 1 : index - 31 + 0x80)
const indexOf = (code: string): number => (code < ' ' ? code.charCodeAt(0) - 1 : code.charCodeAt(0) - 0x80 + 31)

const newest = Math.max(...phraseLists.keys())
const codeOf = new Map(phraseLists.get(newest)?.map((phrase, index) => [phrase, codeAt(index)]))
const phrases = new RegExp([...codeOf.keys()].map((phrase) => phrase.replaceAll(/[{}[\].?]/g, String.raw`\$&`)).join('|'), 'g')

/**
 * Evidence as `attempt_answers` stores it: the number of the phrase list, then the text in UTF-8 with a control character in
 * place of each phrase. Text without a phrase is stored as it is. The same text gives the same bytes.
 */
export function packEvidence(text: string): Buffer {
  if (text.search(controlCharacters) >= 0) return Buffer.from(`\0${text}`)
  const packed = text.replace(phrases, (phrase) => codeOf.get(phrase) ?? phrase)
  return Buffer.from(packed === text ? text : String.fromCharCode(newest) + packed)
}

/**
 * Reads evidence that `packEvidence` wrote. For a phrase list that this version does not know, it returns a sentence that says
 * so and throws no error, because the screens that show evidence must still show the rest of the order.
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

import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { dictionaries } from './evidence-dictionary.ts'

const newest = Math.max(...dictionaries.keys())

/** Text begins with a character, and no control character: bytes below it are the numbers of dictionaries. */
const firstCharacter = 32

/**
 * A window that holds the dictionary, hash tables for some hundred bytes, and a buffer that most results fill at once: with zlib's
 * own sizes, to clear the memory takes longer than to compress.
 */
const deflating = { dictionary: dictionaries.get(newest), windowBits: 12, memLevel: 2, chunkSize: 1024 }

/** No evidence is longer. */
const bytesMax = 16_384

/**
 * Evidence as `attempt_answers` stores it: the number of the dictionary, then the text as raw DEFLATE (RFC 1951) with it. Text that
 * this would not shorten is stored as it is, in UTF-8. The same text gives the same bytes, as long as Node keeps its zlib.
 */
export function packEvidence(text: string): Buffer {
  const plain = Buffer.from(text)
  const deflated = deflateRawSync(plain, deflating)
  return (plain[0] ?? firstCharacter) >= firstCharacter && plain.length <= deflated.length + 1
    ? plain
    : Buffer.concat([Buffer.of(newest), deflated])
}

/**
 * Reads what `packEvidence` wrote. What cannot be read gives a sentence in its place that says so, because the lists that show
 * evidence must show the rest of an order all the same.
 */
export function readEvidence(stored: Buffer): string {
  const [number = firstCharacter] = stored
  if (number >= firstCharacter) return stored.toString()
  const dictionary = dictionaries.get(number)
  if (!dictionary) return `(cannot be read: stored with dictionary ${number}, which this version of Makola does not know)`
  try {
    return inflateRawSync(stored.subarray(1), { dictionary, maxOutputLength: bytesMax }).toString()
  } catch (error) {
    return `(cannot be read: the stored bytes are damaged: ${error instanceof Error ? error.message : String(error)})`
  }
}

import { gsm7Septets } from './gsm7.ts'

export type SmsEncoding = 'gsm7' | 'ucs2'

/**
 * Characters per segment of a long text: 153 or 67 (`standard`), or 160 or 70 (`flat`) (decision M1: how segments are
 * counted).
 */
export type SmsSegmentRule = 'standard' | 'flat'

/** An encoded text. Each entry of `segments` is charged and sent as one SMS. */
export type EncodedText = {
  readonly encoding: SmsEncoding
  /** GSM-7: one septet per byte, unpacked. UCS-2: two bytes per unit, most significant first. */
  readonly segments: readonly Uint8Array[]
  /**
   * True: each segment needs a header that joins it to the others. Flat segments have none, because each is a text of its own.
   */
  readonly isConcatenated: boolean
  /** The first character that GSM-7 does not have, which makes the text UCS-2. */
  readonly forcedBy: string | undefined
}

/** Septets or units per segment: alone, and in a text of several (3GPP TS 23.040, section 9.2.3.24.1). */
const capacities: Readonly<Record<SmsEncoding, { alone: number; joined: number }>> = {
  gsm7: { alone: 160, joined: 153 },
  ucs2: { alone: 70, joined: 67 },
}

/** The septets or units of one character, never split over two segments. */
type Atom = readonly number[]

function unitsOf(character: string): Atom {
  return character.length === 1 ? [character.charCodeAt(0)] : [character.charCodeAt(0), character.charCodeAt(1)]
}

function fill(atoms: readonly Atom[], capacity: number): number[][] {
  const segments: number[][] = []
  let segment: number[] = []
  for (const atom of atoms) {
    if (segment.length + atom.length > capacity) {
      segments.push(segment)
      segment = []
    }
    segment.push(...atom)
  }
  if (segment.length > 0 || segments.length === 0) segments.push(segment)
  return segments
}

function bytesOf(encoding: SmsEncoding, values: readonly number[]): Uint8Array {
  return encoding === 'gsm7' ? new Uint8Array(values) : Buffer.from(String.fromCharCode(...values), 'utf16le').swap16()
}

/**
 * Encodes a text and splits it into segments. Pricing and sending both use this function, so they cannot differ. Uses GSM-7
 * if it has every character, else UCS-2; replaces no character.
 * @throws RangeError when the text has half of a surrogate pair, which no encoding can represent
 */
export function encodeText(text: string, rule: SmsSegmentRule): EncodedText {
  if (!text.isWellFormed()) throw new RangeError('the text holds half of a surrogate pair')
  const characters = Array.from(text)
  const forcedBy = characters.find((character) => gsm7Septets(character) === undefined)
  const encoding: SmsEncoding = forcedBy === undefined ? 'gsm7' : 'ucs2'
  const atoms = characters.map((character) => (encoding === 'gsm7' ? (gsm7Septets(character) ?? []) : unitsOf(character)))
  const { alone, joined } = capacities[encoding]
  const length = atoms.reduce((sum, atom) => sum + atom.length, 0)
  const isSeveral = length > alone
  const segments = fill(atoms, isSeveral && rule === 'standard' ? joined : alone)
  return {
    encoding,
    segments: segments.map((values) => bytesOf(encoding, values)),
    isConcatenated: isSeveral && rule === 'standard',
    forcedBy,
  }
}

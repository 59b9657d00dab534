import { createRequire } from 'node:module'
import fc from 'fast-check'
import { SegmentedMessage } from 'sms-segments-calculator'
import { describe, expect, it } from 'vitest'
import { type EncodedText, encodeText, type SmsSegmentRule } from './encode-text.ts'
import { gsm7Septets } from './gsm7.ts'

/** Another implementation to compare with: the alphabet of the `smpp` package. */
const { encodings } = createRequire(import.meta.url)('smpp') as {
  encodings: { ASCII: { decode(bytes: Buffer): string; match(text: string): boolean } }
}

function decode({ encoding, segments }: EncodedText): string {
  const bytes = Buffer.concat(segments)
  if (encoding === 'gsm7') return encodings.ASCII.decode(bytes)
  return new TextDecoder('utf-16be', { fatal: true, ignoreBOM: true }).decode(bytes)
}

const capacity = { gsm7: { alone: 160, joined: 153, bytes: 1 }, ucs2: { alone: 70, joined: 67, bytes: 2 } }

/** True when a segment is complete: no escape sequence and no surrogate pair is cut in two. */
function isWhole(encoding: EncodedText['encoding'], segment: Uint8Array): boolean {
  if (encoding === 'gsm7') return segment.at(-1) !== 0x1b
  return Buffer.from(segment).swap16().toString('utf16le').isWellFormed()
}

/**
 * Encodes, splits, joins and compares.
 * @returns the faults
 */
function problemsOf(text: string, rule: SmsSegmentRule): string[] {
  const encoded = encodeText(text, rule)
  const { encoding, segments, isConcatenated } = encoded
  const { alone, joined, bytes } = capacity[encoding]
  const isSeveral = segments.length > 1
  const room = (isSeveral && rule === 'standard' ? joined : alone) * bytes
  return [
    decode(encoded) === text ? '' : 'it reads otherwise',
    isConcatenated === (isSeveral && rule === 'standard') ? '' : 'its header is wrong',
    segments.every((segment) => segment.length <= room) ? '' : 'a segment is too long',
    // A segment may be short only because the next character needs two places and would have been cut.
    segments.slice(0, -1).every((segment) => segment.length >= room - bytes) ? '' : 'a segment is too short',
    segments.every((segment) => isWhole(encoding, segment)) ? '' : 'a character was cut',
  ].filter((problem) => problem !== '')
}

const gsmCharacters = Array.from(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà^{}\\[~]|€',
)

/** Texts of so many pieces. Each is one of 1,000 random texts of up to 8 characters: drawing every character is far slower. */
function textsOf(unit: fc.Arbitrary<string> | 'binary', minLength: number, maxLength: number): fc.Arbitrary<string> {
  const pieces = fc.sample(fc.string({ unit, minLength: 1, maxLength: 8 }), 1_000).filter((piece) => piece.isWellFormed())
  return fc.array(fc.constantFrom(...pieces), { minLength, maxLength }).map((drawn) => drawn.join(''))
}

const anyText = fc.oneof(
  { weight: 4, arbitrary: textsOf(fc.constantFrom(...gsmCharacters), 0, 110) },
  { weight: 2, arbitrary: textsOf(fc.constantFrom('a', '€', '[', ']', '~'), 32, 75) },
  { weight: 2, arbitrary: textsOf(fc.constantFrom('a', '😀', 'ɛ', '€', '𝐏'), 14, 35) },
  { weight: 2, arbitrary: textsOf('binary', 0, 40) },
)

describe('segments', () => {
  it('on the wire equal what is charged, for 100,000 random texts and both rules', () => {
    const property = fc.property(anyText, fc.constantFrom<SmsSegmentRule>('standard', 'flat'), (text, rule) => {
      // The `smpp` package cannot read a form feed.
      fc.pre(!text.includes('\f'))
      return problemsOf(text, rule).length === 0
    })
    const result = fc.check(property, { numRuns: 100_000 })
    expect(fc.defaultReportMessage(result)).toBeUndefined()
  })

  it.each([
    ['a', 160, 1],
    ['a', 161, 2],
    ['a', 306, 2],
    ['a', 307, 3],
    ['€', 80, 1],
    ['€', 81, 2],
    ['ɛ', 70, 1],
    ['ɛ', 71, 2],
    ['ɛ', 134, 2],
    ['ɛ', 135, 3],
    ['😀', 35, 1],
    ['😀', 36, 2],
    ['😀', 66, 2],
    ['😀', 67, 3],
  ])(
    'a GSM-7 segment holds 160 characters and unicode or emoji text lowers this to 70: %j × %i are %i',
    (character, length, segments) => {
      expect(encodeText(character.repeat(length), 'standard').segments).toHaveLength(segments)
    },
  )

  it.each([
    ['a', 320, 2],
    ['a', 321, 3],
    ['ɛ', 140, 2],
    ['ɛ', 141, 3],
  ])('the flat rule holds 160 or 70 in each segment: %j × %i are %i', (character, length, segments) => {
    expect(encodeText(character.repeat(length), 'flat').segments).toHaveLength(segments)
  })

  it('extension characters count two septets and an escape is never cut from its septet', () => {
    const { segments } = encodeText(`${'a'.repeat(152)}€${'b'.repeat(20)}`, 'standard')
    expect(segments.map((segment) => segment.length)).toEqual([152, 22])
    expect(Array.from(segments[1]?.subarray(0, 2) ?? [])).toEqual([0x1b, 0x65])
    for (const character of '^{}\\[~]|€') expect(gsm7Septets(character)).toHaveLength(2)
  })

  it('a surrogate pair is never cut', () => {
    const { segments } = encodeText(`${'ɛ'.repeat(66)}😀${'ɛ'.repeat(20)}`, 'standard')
    expect(segments.map((segment) => segment.length / 2)).toEqual([66, 22])
  })

  it('agrees with another implementation on which characters GSM-7 has', () => {
    const wrong: string[] = []
    for (let code = 0; code <= 0xffff; code += 1) {
      const character = String.fromCharCode(code)
      if (!character.isWellFormed() || code === 0x1b || code === 0x0c) continue
      if ((gsm7Septets(character) !== undefined) !== encodings.ASCII.match(character)) wrong.push(code.toString(16))
    }
    expect(wrong).toEqual([])
  })

  it('are as many as an independent calculator counts', () => {
    const property = fc.property(anyText, (text) => {
      // The calculator counts a form feed as a letter of GSM-7, and an empty text as no segment.
      fc.pre(!text.includes('\f') && text !== '')
      return encodeText(text, 'standard').segments.length === new SegmentedMessage(text).segmentsCount
    })
    const result = fc.check(property, { numRuns: 500 })
    expect(fc.defaultReportMessage(result)).toBeUndefined()
  })

  it('which character forces UCS-2 is known', () => {
    expect(encodeText('Mepa wo kyɛw, call', 'standard').forcedBy).toBe('ɛ')
    expect(encodeText('Please call [now] €', 'standard').forcedBy).toBeUndefined()
  })

  it('a character that cannot be encoded is an error, never a blank', () => {
    expect(() => encodeText('broken \ud83d text', 'standard')).toThrow(RangeError)
  })
})

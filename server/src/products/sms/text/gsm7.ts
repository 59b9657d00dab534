/**
 * The GSM 7-bit default alphabet (3GPP TS 23.038, section 6.2.1): the position of a character is its septet. A placeholder
 * keeps the position of the escape, and `septetsOf` leaves it out.
 */
const alphabet =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\u{10FFFF}ÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà'

/** The extension table (section 6.2.1.1): an escape and this septet. */
const extension: Readonly<Record<string, number>> = {
  '\f': 0x0a,
  '^': 0x14,
  '{': 0x28,
  '}': 0x29,
  '\\': 0x2f,
  '[': 0x3c,
  '~': 0x3d,
  ']': 0x3e,
  '|': 0x40,
  '€': 0x65,
}

const escape = 0x1b

const septetsOf: ReadonlyMap<string, readonly number[]> = new Map<string, readonly number[]>([
  ...Array.from(alphabet).flatMap((character, septet) => (septet === escape ? [] : [[character, [septet]] as const])),
  ...Object.entries(extension).map(([character, septet]) => [character, [escape, septet]] as const),
])

/** The septets of a character, with an escape if needed; undefined when GSM-7 does not have it. */
export function gsm7Septets(character: string): readonly number[] | undefined {
  return septetsOf.get(character)
}

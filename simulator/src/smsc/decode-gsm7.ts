/**
 * The GSM-7 alphabet and its extension, by septet (3GPP TS 23.038, sections 6.2.1 and 6.2.1.1). U+FFFF takes the place of the
 * escape.
 */
const basic =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\uFFFFÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà'

const extended = new Map([
  [0x0a, '\f'],
  [0x14, '^'],
  [0x28, '{'],
  [0x29, '}'],
  [0x2f, '\\'],
  [0x3c, '['],
  [0x3d, '~'],
  [0x3e, ']'],
  [0x40, '|'],
  [0x65, '€'],
])

/** Decodes unpacked septets. Characters that a handset cannot show become U+FFFD, so that a test sees them. */
export function decodeGsm7(septets: Uint8Array): string {
  let text = ''
  let isEscaped = false
  for (const septet of septets) {
    if (isEscaped) {
      text += extended.get(septet) ?? '\uFFFD'
      isEscaped = false
    } else if (septet === 0x1b) isEscaped = true
    else text += basic[septet] ?? '\uFFFD'
  }
  return isEscaped ? `${text}\uFFFD` : text
}

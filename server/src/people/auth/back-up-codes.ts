import { randomInt } from 'node:crypto'

/** Without letters and digits that look like others: no 0 and o, no 1, i and l, no 2 and z, no 5 and s, no 8 and b, no u and v. */
const alphabet = '34679acdefghjkmnpqrtwxy'
const codesPerPerson = 10
/** Ten characters out of 23: 45 bits. A person may try only a few codes in an hour. */
const codeLength = 10
const written = new RegExp(`^[${alphabet}]{${codeLength}}$`)

const inHalves = (code: string): string => `${code.slice(0, codeLength / 2)}-${code.slice(codeLength / 2)}`

/** Makes the back-up codes of a second factor: `acdef-34679`. */
export function makeBackUpCodes(): string[] {
  const letter = () => alphabet[randomInt(alphabet.length)]
  return Array.from({ length: codesPerPerson }, () => inHalves(Array.from({ length: codeLength }, letter).join('')))
}

/** Reads a back-up code as a person types it: in capitals or not, with dashes and spaces anywhere or none. */
export function readBackUpCode(text: string): string {
  const bare = text.replaceAll(/[^a-z0-9]/gi, '').toLowerCase()
  return written.test(bare) ? inHalves(bare) : text.trim()
}

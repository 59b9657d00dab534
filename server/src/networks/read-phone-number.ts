import { belongsToNetwork, type NumberPlan } from './number-plan.ts'

/** A Ghanaian number without the characters between its digits: 0241234567, +233241234567, 2330241234567, 00233…. */
const shape = /^(?:(?:\+|00)?2330?|0)(\d{9})$/

/**
 * Reads a phone number in the usual forms: with spaces, dots and dashes, and with the 0 or the prefix in brackets, such as
 * 024 123 4567, +233 (0)24-123-4567 or (024) 123 4567.
 *
 * @returns 10 digits starting with 0; undefined when the text is no Ghanaian number
 */
export function readPhoneNumber(text: string): string | undefined {
  const [, digits] = shape.exec(text.replaceAll(/[\s.\-()\u2010-\u2015/]/g, '')) ?? []
  return digits === undefined ? undefined : `0${digits}`
}

/** The two forms in which orders hold a number: as it is dialled in Ghana, and with the country code. */
export function waysOfWriting(number: string): [string, string] {
  return [number, `233${number.slice(1)}`]
}

/** The number in a text with its networks, or the reason why the text is no number. */
type NumberRead<Network extends string> =
  | { readonly number: string; readonly networks: Network[]; readonly digits: number }
  | { readonly fault: 'too_short' | 'too_long' | 'no_number'; readonly digits: number }

/** Says why a text is no phone number, and how many digits it has in local form (a phone number has 10). */
function findFault(text: string): { readonly fault: 'too_short' | 'too_long' | 'no_number'; readonly digits: number } {
  const local = text.replaceAll(/[\s.\-()\u2010-\u2015/]/g, '').replace(/^(?:\+|00)?233/, '0')
  const digits = local.replaceAll(/\D/g, '').length
  if (!/^\d+$/.test(local) || digits === 10) return { fault: 'no_number', digits }
  return { fault: digits < 10 ? 'too_short' : 'too_long', digits }
}

/** Reads one line of a list of numbers, with the product's networks on which the number may be served. */
export function readNumbersLine<Network extends string>(
  plan: NumberPlan,
  networks: readonly Network[],
  text: string,
): NumberRead<Network> {
  const number = readPhoneNumber(text)
  if (number === undefined) return findFault(text)
  return { number, digits: number.length, networks: networks.filter((network) => belongsToNetwork(plan, number, network)) }
}

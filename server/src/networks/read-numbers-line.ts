import { belongsToNetwork, type NumberPlan } from './number-plan.ts'
import { readPhoneNumber } from './read-phone-number.ts'

/** The number in a text with its networks, or the fault of the text. */
type NumberRead<Network extends string> =
  | { readonly number: string; readonly networks: Network[]; readonly digits: number }
  | { readonly fault: 'too_short' | 'too_long' | 'no_number'; readonly digits: number }

/** The fault of a text that is no phone number, and how many digits it has in local form; a phone number has 10. */
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

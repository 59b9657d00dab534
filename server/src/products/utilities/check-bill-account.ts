import { type Refusal, refusals } from '../../platform/http/refusals.ts'
import type { Biller } from './biller-catalogue.ts'

const phonePattern = /^0[0-9]{9}$/

// oxlint-disable-next-line no-control-regex
const unprintable = /[\u0000-\u001f\u007f-\u009f]/u

/**
 * What a schema cannot say of a biller's account: it is not blank, has no control characters, and a phone is
 * there in its form where the biller asks for one (contract, Utilities 2 and 3; decisions N2, U1). A phone
 * that nobody asks for is ignored (U2).
 *
 * @returns why it is refused, or undefined
 */
export function checkBillAccount(biller: Biller, given: { account: string; phone?: string }): Refusal | undefined {
  if (given.account.trim() === '') return refusals.invalidRequest('account must not be blank.')
  if (unprintable.test(given.account)) return refusals.invalidRequest('account must not contain control characters.')
  if (!biller.requiresPhone) return undefined
  if (given.phone === undefined || given.phone === '') return refusals.invalidRequest(`phone is required for ${biller.key}.`)
  if (!phonePattern.test(given.phone)) return refusals.invalidRequest('phone must be 10 digits starting with 0.')
  return undefined
}

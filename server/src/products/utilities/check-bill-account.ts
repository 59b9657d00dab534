import { type Refusal, refusals } from '../../platform/http/refusals.ts'
import type { Biller } from './biller-catalogue.ts'

const phonePattern = /^0[0-9]{9}$/

/**
 * Checks beyond the schema: a phone of the right form is required if the biller needs one (contract, Utilities, 2 and 3;
 * decisions N2: the form of a number; U1: what an ECG look-up needs). Ignores a phone that the biller does not need
 * (decision U2).
 * @returns the refusal, or undefined
 */
export function checkBillAccount(biller: Biller, given: { phone?: string }): Refusal | undefined {
  if (!biller.requiresPhone) return undefined
  if (given.phone === undefined || given.phone === '') return refusals.invalidRequest(`phone is required for ${biller.key}.`)
  if (!phonePattern.test(given.phone)) return refusals.invalidRequest('phone must be 10 digits starting with 0.')
  return undefined
}

/**
 * Checks the account of a payment. Where accounts are looked up by phone, refuses the phone as the account: the caller must
 * name a meter of the look-up (contract, Utilities, 3; decision U3: the form of an account number).
 */
export function checkPaidAccount(biller: Biller, given: { account: string; phone?: string }): Refusal | undefined {
  const refusal = checkBillAccount(biller, given)
  if (refusal || biller.lookupBy !== 'phone' || given.account !== given.phone) return refusal
  return refusals.invalidRequest('account must be a meter number of GET /utilities/lookup, not the phone.')
}

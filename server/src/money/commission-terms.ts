import Type, { type Static } from 'typebox'
import { Compile } from 'typebox/compile'

/**
 * The terms of an order's commission, fixed when it was placed (decisions S6: how commission is shared; S9: role and state
 * as they are under the lock), and kept in the order's `details` under `commission`. In basis points: 100 are one percent.
 */
export const CommissionTerms = Type.Object({
  /** The part of the amount that the supplier is expected to pay us, used when the supplier does not report it. */
  rateBasisPoints: Type.Integer(),
  /** The order account's share of that commission; 0 when the account earns nothing. */
  shareBasisPoints: Type.Integer(),
})

export type CommissionTerms = Static<typeof CommissionTerms>

const terms = Compile(CommissionTerms)

/** The terms in an order's details; undefined for products without commission. @throws Error when they have another shape */
export function commissionTermsOf({ commission }: Readonly<Record<string, unknown>>): CommissionTerms | undefined {
  if (commission === undefined) return undefined
  if (!terms.Check(commission)) throw new Error(`these are not the terms of a commission: ${JSON.stringify(commission)}`)
  return commission
}

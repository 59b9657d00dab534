/**
 * What was agreed about an order's commission when it was placed (decisions S6: how commission is shared; S9: role and state
 * as they are under the lock), frozen in the order's `details` under `commission`. In basis points: 100 are one percent.
 */
export type CommissionTerms = {
  /** What the supplier is expected to pay of the amount, for when it does not say so itself. */
  readonly rateBasisPoints: number
  /** The caller's part of that; 0 when the caller earns nothing. */
  readonly shareBasisPoints: number
}

/** The terms that an order's details hold; undefined for products without commission. */
export function commissionTermsOf(details: Readonly<Record<string, unknown>>): CommissionTerms | undefined {
  return details['commission'] as CommissionTerms | undefined
}

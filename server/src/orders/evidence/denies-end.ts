import { meaningOf } from '../outcomes.ts'

/** The status of an ended order, and the last known outcome of one of its attempts. */
export type AttemptEnd = { readonly status: string; readonly outcome: string | null }

/**
 * True when a supplier's new answer denies how the order or its attempt ended (decision S12: evidence against an ended
 * order). Pure.
 */
export function deniesEnd({ status, outcome }: AttemptEnd, said: string): boolean {
  if (said === 'delivered') {
    // The supplier reports that this attempt delivered, but the order failed, was refunded, or went on without this attempt.
    return status === 'failed' || status === 'refunded' || meaningOf(outcome)?.proves === 'no delivery'
  }
  return said === 'failed' && status === 'completed' && outcome === 'delivered'
}

import type { AttemptOutcome } from '../attempt.ts'

/** All that a reseller is ever told about why money went back. Never a supplier's own words. */
export const refundReasons = {
  recipient: 'The number or account was not accepted.',
  request: 'The request was not accepted.',
  failed: 'The service could not be delivered.',
  notReceived: 'The order did not reach the network or biller.',
  cancelled: 'The order was cancelled by the operator.',
} as const

export type RefundReason = (typeof refundReasons)[keyof typeof refundReasons]

/** What the move to `failed` says of an order whose time for a mistake of ours to be mended was over. */
export const ourMistake = 'our_mistake'

/** By what the last attempt came to. Outcomes that never fail an order by themselves have the general one. */
const reasonOf: Readonly<Record<AttemptOutcome | typeof ourMistake, RefundReason>> = {
  rejected_recipient: refundReasons.recipient,
  not_registered: refundReasons.recipient,
  rejected_request: refundReasons.request,
  never_received: refundReasons.notReceived,
  failed: refundReasons.failed,
  delivered: refundReasons.failed,
  accepted: refundReasons.failed,
  unknown: refundReasons.failed,
  rejected_platform: refundReasons.failed,
  throttled: refundReasons.failed,
  not_sent: refundReasons.failed,
  unreachable: refundReasons.failed,
  [ourMistake]: refundReasons.failed,
}

/**
 * Why an order was refunded, for its owner: out of a short fixed list, for every product (contract, Airtime
 * order and Utility order, `reason`).
 *
 * @param failure what the move to `failed` says in the order's history: an attempt's outcome, or a person's word
 */
export function explainRefund(failure: string | null): RefundReason {
  return failure !== null && Object.hasOwn(reasonOf, failure) ? reasonOf[failure as AttemptOutcome] : refundReasons.cancelled
}

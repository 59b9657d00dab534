import type { AnswerMeaning } from '../suppliers/ports.ts'

/**
 * Where an attempt stands after everything heard of it so far. The first two keep it open: `unknown`
 * (nothing reliable was heard) and `accepted` (the supplier acknowledged it). All others are final.
 */
export type AttemptOutcome = Exclude<AnswerMeaning, 'duplicate_exists'>

/** One attempt to have a supplier fulfil an order, with what has been heard of it. */
export type Attempt = {
  readonly id: string
  readonly orderId: string
  readonly attemptNo: number
  readonly supplier: string
  readonly outgoingReference: string
  readonly supplierReference: string | null
  /** Nothing is written to the supplier later than this, by the database's clock. */
  readonly sendBeforeAt: Date
  readonly createdAt: Date
  /** Null: no answer was ever recorded. Sent or not, nobody knows. */
  readonly outcome: AttemptOutcome | null
  /** Questions asked about it so far. */
  readonly asks: number
  /** Look-ups begun after `send_before` and the maximum time in flight that did not know our reference. */
  readonly provenAbsences: number
}

/** How the answer was obtained. `resend` is the same reference sent again as a way of asking. */
export type AnswerSource = 'send' | 'resend' | 'status' | 'callback'

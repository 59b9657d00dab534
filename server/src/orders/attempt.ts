import type { Pesewas } from '../money/pesewas.ts'
import type { AnswerMeaning } from '../suppliers/ports.ts'

/**
 * Where an attempt stands after everything heard of it so far. The first two keep it open: `unknown`
 * (nothing reliable was heard) and `accepted` (the supplier acknowledged it). All others are final.
 */
export type AttemptOutcome = Exclude<AnswerMeaning, 'duplicate_exists' | 'unfulfilled'>

/** A callback about an attempt that said how it ended. */
export type CallbackVerdict = {
  readonly meaning: 'delivered' | 'failed'
  readonly evidence: string
  readonly supplierReference: string | null
}

/** One attempt to have a supplier fulfil an order, with what has been heard of it. */
export type Attempt = {
  readonly id: string
  readonly orderId: string
  readonly attemptNo: number
  readonly supplier: string
  readonly outgoingReference: string
  /** What it should cost, as the supplier's price stood when it began; null: nobody could tell. */
  readonly expectedCostPesewas: Pesewas | null
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
  /** Since when every look-up that said anything said `unfulfilled`; null: none did, or not the last one. */
  readonly unfulfilledSince: Date | null
  /** What callbacks said of its end, each once, the first one first. */
  readonly callbackVerdicts: readonly CallbackVerdict[]
}

/** How the answer was obtained. `resend` is the same reference sent again as a way of asking. */
export type AnswerSource = 'send' | 'resend' | 'status' | 'callback'

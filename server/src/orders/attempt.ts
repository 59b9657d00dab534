import type { Pesewas } from '../money/pesewas.ts'
import type { AnswerMeaning } from '../suppliers/ports.ts'

/**
 * The outcome of an attempt after all answers so far. Two outcomes keep it open: `unknown` (no reliable answer came) and
 * `accepted` (the supplier confirmed that it received the order). All other outcomes are final.
 */
export type AttemptOutcome = Exclude<AnswerMeaning, 'duplicate_exists' | 'unfulfilled'>

export type CallbackAnswer = {
  readonly meaning: 'delivered' | 'failed'
  readonly evidence: string
  readonly supplierReference: string | null
}

export type Attempt = {
  readonly orderId: string
  /** 1 for the order's first attempt. */
  readonly attemptNo: number
  readonly supplier: string
  readonly outgoingReference: string
  /** The expected cost: the supplier's price at the moment the attempt began. Null when the price was not known. */
  readonly expectedCostPesewas: Pesewas | null
  readonly supplierReference: string | null
  /** The send deadline by the database's clock. After it, no byte of the order is sent to the supplier. */
  readonly sendBeforeAt: Date
  readonly createdAt: Date
  /** Null: no answer was recorded, so the attempt may or may not have been sent. */
  readonly outcome: AttemptOutcome | null
  readonly asks: number
  /**
   * How many look-ups did not find our reference. Only look-ups count that began after `send_before` plus the maximum time in
   * flight: from then on our request must have arrived.
   */
  readonly provenAbsences: number
  /**
   * The moment of the first look-up with the answer `unfulfilled` after which neither a look-up nor a callback reported
   * `accepted` or `delivered`. Null when there is none.
   */
  readonly unfulfilledSince: Date | null
  /** The ends that callbacks reported, oldest first. Equal callbacks are listed once. */
  readonly callbackAnswers: readonly CallbackAnswer[]
  /**
   * True: the database went back to an earlier state before the order was sent. A send may have been lost, so the supplier is
   * only asked about it.
   */
  readonly isOnlyAsked?: boolean
}

/** How an answer came. `resend`: we sent the same reference again in order to ask. */
export type AnswerSource = 'send' | 'resend' | 'status' | 'callback'

import type { Supplier } from './ports.ts'

/** An encoded text, already split. Each segment is sent in one submit, or all together where a supplier takes whole texts. */
export type SmsText = {
  readonly encoding: 'gsm7' | 'ucs2'
  /** GSM-7: one septet per byte. UCS-2: two bytes per unit, most significant first. */
  readonly segments: readonly Uint8Array[]
  /** Each segment needs a header that joins it to the others. */
  readonly isConcatenated: boolean
}

export type OutgoingSms = {
  readonly sender: string
  /** 233 and nine digits. */
  readonly recipient: string
  readonly text: SmsText
}

/**
 * The result of sending a text.
 *
 * - `accepted`: every segment was accepted; `messageIds` are the supplier's own, one per submit
 * - `rejected`: the text can never arrive complete: a segment was refused, or was not sent after others were
 * - `refused_us`: the supplier refuses us or this sender, and accepted nothing; another supplier may take the text
 * - `not_sent`: nothing was sent, or everything was throttled: the text was surely not accepted
 * - `unknown`: a segment was sent and nobody knows whether it was accepted; `messageIds` are those of the segments before it
 */
export type SmsAnswer = {
  readonly meaning: 'accepted' | 'rejected' | 'refused_us' | 'not_sent' | 'unknown'
  /** The supplier's own words, for the operator. */
  readonly evidence: string
  readonly messageIds: readonly string[]
}

/** A delivery receipt. `underway` is not final. */
export type SmsReceipt = {
  readonly messageId: string
  /** The recipient's number as the supplier writes it. Undefined: the receipt does not contain it. */
  readonly recipient: string | undefined
  readonly state: 'delivered' | 'undelivered' | 'expired' | 'rejected' | 'underway'
}

/** A text of a subscriber to one of our senders. */
export type SmsReply = { readonly from: string; readonly to: string; readonly text: string }

/** Sends texts and receives receipts. Reconnects automatically until it is closed. */
export type SmsLink = {
  isBound(): boolean
  /**
   * Sends one text. Waits for a place in the window, for the rate limit, and after a throttle.
   * @param onLateAnswer called once, if a text that was `unknown` because of a time-out is answered after all
   */
  submit(sms: OutgoingSms, onLateAnswer?: (answer: SmsAnswer) => void): Promise<SmsAnswer>
  /** Accepts no more texts, finishes those with an accepted segment, waits for open answers, and unbinds. */
  close(): Promise<void>
  /** Ends the link at once. Submits in flight become `unknown`. */
  destroy(): void
}

export type SmsLinkEvents = {
  /** Resolves when the receipt is committed; only then is it acknowledged. A rejection makes the supplier send it again. */
  onReceipt(receipt: SmsReceipt): Promise<void>
  /** Resolves when the reply was processed; only then is it acknowledged. */
  onReply(reply: SmsReply): Promise<void>
  /** Called after the link was bound, has lost its bind, or could not be bound. */
  onStateChange(isBound: boolean, evidence: string): void
}

export type SmsSupplier = Supplier & {
  /** Whether the operator allows sending an unanswered text again. */
  readonly resubmitsUnanswered: boolean
  /** The most unanswered submits of its link. */
  readonly submitsAtOnce: number
  /** The most submits of its link per second. Null: no limit. */
  readonly submitsPerSecond: number | null
  /** Opens the link. Only the process that holds the supplier's lock may call this. */
  openSmsLink(events: SmsLinkEvents): SmsLink
}

export function sendsSms(supplier: Supplier): supplier is SmsSupplier {
  return 'openSmsLink' in supplier
}

import type { Supplier } from './ports.ts'

/**
 * A text as it is sent, already split: every segment goes into a submit of its own, or all together where a supplier
 * takes whole texts.
 */
export type SmsText = {
  readonly encoding: 'gsm7' | 'ucs2'
  /** GSM-7: one septet per byte. UCS-2: two bytes per unit, most significant first. */
  readonly segments: readonly Uint8Array[]
  /** Each segment needs a header that joins it to the others. */
  readonly isConcatenated: boolean
}

/** One text to one recipient. */
export type OutgoingSms = {
  readonly sender: string
  /** 233 and nine digits. */
  readonly recipient: string
  readonly text: SmsText
}

/**
 * The result of sending a text.
 *
 * - `accepted`: every segment was taken; `messageIds` are the supplier's own, one per submit
 * - `rejected`: the text can never arrive complete: a segment was refused, or was not sent after others were
 * - `refused_us`: the supplier refuses us or this sender, and took nothing; another supplier may take the text
 * - `not_sent`: nothing was sent, or everything sent was throttled: the text was surely not taken
 * - `unknown`: a segment was sent and nobody knows whether it was taken; `messageIds` are those of the segments before it
 */
export type SmsAnswer = {
  readonly meaning: 'accepted' | 'rejected' | 'refused_us' | 'not_sent' | 'unknown'
  /** For the operator. */
  readonly evidence: string
  readonly messageIds: readonly string[]
}

/** A delivery receipt. `underway` says nothing final. */
export type SmsReceipt = {
  readonly messageId: string
  /** The recipient's number as the supplier writes it. Undefined: the receipt does not name it. */
  readonly recipient: string | undefined
  readonly state: 'delivered' | 'undelivered' | 'expired' | 'rejected' | 'underway'
}

/** A connection that sends texts and receives receipts. It reconnects automatically until it is closed. */
export type SmsLink = {
  isBound(): boolean
  /**
   * Sends one text. Waits for a place in the window, for the throughput limit, and after a throttle.
   * @param onLateAnswer called once, if a text that was `unknown` because of a time-out is answered after all
   */
  submit(sms: OutgoingSms, onLateAnswer?: (answer: SmsAnswer) => void): Promise<SmsAnswer>
  /** Takes no more texts, finishes those of which a segment was taken, waits for open answers, and unbinds. */
  close(): Promise<void>
  /** Ends the link at once. Submits in flight become `unknown`. */
  destroy(): void
}

/** The events of a link. */
export type SmsLinkEvents = {
  /** Resolves when what the receipt says is committed; only then is it acknowledged. A rejection makes the supplier send it again. */
  onReceipt(receipt: SmsReceipt): Promise<void>
  /** Called when the link was bound, or has lost its bind. */
  onStateChange(isBound: boolean, evidence: string): void
}

/** A supplier of SMS. */
export type SmsSupplier = Supplier & {
  /** Whether the operator allows that a text whose submit got no answer is handed over again. */
  readonly resubmitsUnanswered: boolean
  /** How many submits of its link may be without an answer. */
  readonly submitsAtOnce: number
  /** How many submits its link may begin in a second. Null: there is no limit. */
  readonly submitsPerSecond: number | null
  /** Opens the link. Only the process that holds the supplier's lock may. */
  openSmsLink(events: SmsLinkEvents): SmsLink
}

/** Whether a supplier sends SMS. */
export function sendsSms(supplier: Supplier): supplier is SmsSupplier {
  return 'openSmsLink' in supplier
}

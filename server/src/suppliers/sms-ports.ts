import type { Supplier } from './ports.ts'

/** A text as it goes on the wire, already split: every segment is sent in a submit of its own, or joined where a supplier takes the whole. */
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
 * What became of a text that was handed over.
 *
 * - `accepted`: every segment was taken; `messageIds` are the supplier's own, one per submit
 * - `rejected`: definitively refused, so it can never arrive whole
 * - `refused_us`: the supplier refuses us or this sender, and took nothing: another one may take it
 * - `not_sent`: nothing left this process, or what left was throttled to the end: it was provably not taken
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
  /** As the supplier writes it; undefined when it does not. */
  readonly recipient: string | undefined
  readonly state: 'delivered' | 'undelivered' | 'expired' | 'rejected' | 'underway'
}

/** A standing connection over which texts go out and receipts come in. It reconnects by itself until it is closed. */
export type SmsLink = {
  isBound(): boolean
  /**
   * Hands one text over. Waits for its turn in the window, for the throughput limit and for a throttled supplier.
   *
   * @param onLateAnswer told once, when a text that was `unknown` because its time ran out is answered after all
   */
  submit(sms: OutgoingSms, onLateAnswer?: (answer: SmsAnswer) => void): Promise<SmsAnswer>
  /** Takes no more, finishes the texts of which a segment was taken, waits for answers under way, says goodbye. */
  close(): Promise<void>
  /** Ends it at once: submits under way become `unknown`. */
  destroy(): void
}

/** What a link tells its holder. */
export type SmsLinkEvents = {
  /** Resolves when the receipt is stored; only then is it acknowledged. A rejection makes the supplier send it again. */
  onReceipt(receipt: SmsReceipt): Promise<void>
  /** The link was bound, or lost its bind. */
  onStateChange(isBound: boolean, evidence: string): void
}

/** A supplier of SMS. */
export type SmsSupplier = Supplier & {
  /** Whether the operator allows that a text whose submit got no answer is handed over again. */
  readonly resubmitsUnanswered: boolean
  /** Opens the link. Only the process that holds the supplier's lock may. */
  openSmsLink(events: SmsLinkEvents): SmsLink
}

/** Whether a supplier sends SMS. */
export function sendsSms(supplier: Supplier): supplier is SmsSupplier {
  return 'openSmsLink' in supplier
}

/** A text to one Ghanaian number. */
export type CourtesySms = {
  /** `0XXXXXXXXX` or `233XXXXXXXXX`. */
  readonly to: string
  readonly text: string
}

/**
 * The result of sending a courtesy message. `not_sent`: certainly nobody took the message over; with `isFinal`, another
 * try would end the same way. `unknown`: somebody may have taken the message over. `reason` names neither the number
 * nor the text.
 */
export type CourtesySmsOutcome =
  | { readonly outcome: 'sent' }
  | { readonly outcome: 'not_sent'; readonly isFinal: boolean; readonly reason: string }
  | { readonly outcome: 'unknown'; readonly reason: string }

/**
 * How courtesy messages leave by SMS. Sends once, without a retry inside, and never throws for what a
 * link or a supplier does. While no process has such a port, these messages stay queued.
 */
export type CourtesySmsPort = { sendSms(sms: CourtesySms): Promise<CourtesySmsOutcome> }

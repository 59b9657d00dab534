export type CourtesySms = {
  /** `0XXXXXXXXX` or `233XXXXXXXXX`. */
  readonly to: string
  readonly text: string
}

/**
 * `not_sent`: certainly nobody accepted the message; with `isFinal`, another try would end the same way. `unknown`: the
 * message may have been accepted. `reason` names neither the number nor the text.
 */
export type CourtesySmsOutcome =
  | { readonly outcome: 'sent' }
  | { readonly outcome: 'not_sent'; readonly isFinal: boolean; readonly reason: string }
  | { readonly outcome: 'unknown'; readonly reason: string }

/**
 * Sends courtesy messages by SMS, once, without a retry inside, and never throws for an error of a link or a supplier.
 * While no process has such a port, these messages stay queued.
 */
export type CourtesySmsPort = { sendSms(sms: CourtesySms): Promise<CourtesySmsOutcome> }

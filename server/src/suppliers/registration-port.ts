import type { Supplier } from './ports.ts'

/**
 * A registration server's answer about a number.
 *
 * - `registered`: bundles may be sent to it
 * - `pending`: it was submitted, and is not registered yet
 * - `not_registered`: it must be submitted first
 * - `unavailable`: everything else (time-out, 5xx, throttled, refused, unreadable); proves nothing about the number
 */
export type RegistrationAnswer = {
  readonly meaning: 'registered' | 'pending' | 'not_registered' | 'unavailable'
  readonly evidence: string
  /**
   * How far the call came. `answered`: a complete answer came. `silent`: no connection, or no complete answer. `unasked`: the
   * caller's signal or time ended the call before anything was sent, which proves nothing about the server.
   */
  readonly contact: 'answered' | 'silent' | 'unasked'
  /** Whether the server refused us: HTTP 401 or 403. */
  readonly isRefusal: boolean
}

/** Limits of one call: the signal of its caller, and a time that may be shorter than the usual one. */
export type AskLimit = { readonly signal?: AbortSignal | undefined; readonly milliseconds?: number }

/** A registry of the numbers that may receive bundles. */
export type RegistrationSupplier = Supplier & {
  /** Asks for the state of a number: 10 digits starting with 0. Changes nothing. */
  checkRecipient(number: string, limit: AskLimit): Promise<RegistrationAnswer>
  /** Submits a number for registration. May be repeated: a known number is not changed. */
  submitRecipient(number: string, limit: AskLimit): Promise<RegistrationAnswer>
}

export function registersNumbers(supplier: Supplier): supplier is RegistrationSupplier {
  return 'checkRecipient' in supplier
}

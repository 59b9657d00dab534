import type { Pesewas } from '../money/pesewas.ts'

/** What every answer of a supplier may carry besides its meaning. */
type AnswerDetails = {
  /** What the supplier said, shortened and without secrets. For the operator; never shown to a reseller. */
  readonly evidence: string
  /** The supplier's own code of the transaction. */
  readonly supplierReference?: string
  readonly reportedCostPesewas?: Pesewas
  readonly reportedCommissionPesewas?: Pesewas
}

/**
 * What a supplier's answer means for an order. A default never is success or failure: whatever an
 * adapter does not recognise is `unknown`.
 *
 * - `delivered`: proof of delivery, the only answer that completes
 * - `accepted`: taken, not yet delivered
 * - `failed`: a definitive final status without delivery
 * - `rejected_recipient`, `rejected_request`: definitive refusals of this number or request
 * - `rejected_platform`: our float, credentials or account; says nothing about the order
 * - `not_registered`: the number must be registered first
 * - `duplicate_exists`: an earlier submit of this reference exists, so this is an accept
 * - `throttled`: not taken, try later
 * - `never_received`: a look-up does not know our reference; proves nothing until repeated in time
 * - `unknown`: time-out, 5xx, unreadable or unexpected
 */
export type SupplierAnswer = AnswerDetails &
  (
    | { readonly meaning: 'delivered' | 'accepted' | 'failed' | 'rejected_recipient' | 'rejected_request' }
    | { readonly meaning: 'not_registered' | 'duplicate_exists' | 'never_received' | 'unknown' }
    | { readonly meaning: 'rejected_platform'; readonly cause: 'float' | 'auth' | 'disabled' }
    | { readonly meaning: 'throttled'; readonly retryAfterSeconds: number }
  )

/** What sending the same reference again does at a supplier. */
export type ResendClass = 'returns-original' | 'rejects-duplicate' | 'undocumented' | 'none'

/** How long after sending each question is asked, and when the order is raised to a person. */
export type AskSchedule = {
  /** Seconds between questions; the last one repeats. */
  readonly delaysSeconds: readonly number[]
  /** A request of ours cannot take effect later than this after `send_before`. */
  readonly maximumInFlightSeconds: number
  /** Without a definitive answer after this long, a person is called. */
  readonly raiseAfterSeconds: number
}

/** Identifies an attempt to its supplier. */
export type AttemptIdentity = {
  /** Our reference, unique per supplier; stored before anything is sent. */
  readonly outgoingReference: string
  /** The supplier's code, when an answer gave us one. */
  readonly supplierReference: string | null
}

/** One bundle to be bought. */
export type DataBundleRequest = {
  readonly network: string
  readonly volumeGb: number
  /** 10 digits starting with 0. */
  readonly recipient: string
  /** What the supplier calls the package, from `package_offers`. */
  readonly packageCode: string
}

/** What any supplier offers, whatever it sells. */
export type Supplier = {
  readonly name: string
  readonly resendClass: ResendClass
  readonly askSchedule: AskSchedule
  /** Asks what became of an attempt, by our reference or theirs. */
  askStatus(attempt: AttemptIdentity, signal: AbortSignal): Promise<SupplierAnswer>
  /** Reads our float at the supplier; undefined when it cannot be learnt. */
  readFloat(signal: AbortSignal): Promise<Pesewas | undefined>
}

/** A supplier of data bundles. */
export type DataSupplier = Supplier & {
  /**
   * Sends one purchase, once: no retry inside. Calls `beforeWrite` immediately before the request is
   * written; when that answers false nothing is sent.
   */
  buyData(request: DataBundleRequest, attempt: AttemptIdentity, signal: AbortSignal): Promise<SupplierAnswer>
}

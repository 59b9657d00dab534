import type { Pesewas } from '../money/pesewas.ts'

/** What every answer of a supplier may hold besides its meaning. */
type AnswerDetails = {
  /** What the supplier said, shortened and without secrets. For the operator; never shown to a reseller. */
  readonly evidence: string
  /** The supplier's own code of the transaction. */
  readonly supplierReference?: string
  readonly reportedCostPesewas?: Pesewas
  readonly reportedCommissionPesewas?: Pesewas
  /**
   * The holder of the account that was paid for. Anybody may have written it, and the order's owner sees it: see
   * `reportedName`.
   */
  readonly accountName?: string
  /** The supplier answered in its own words, so it is reachable, whatever the answer means for the order. */
  readonly hasSpoken?: boolean
}

/** Why a supplier refuses our account rather than an order. */
export type PlatformCause = 'float' | 'auth' | 'disabled'

/**
 * What a supplier's answer means for an order. A default never is success or failure: whatever an
 * adapter does not recognise is `unknown`.
 *
 * - `delivered`: proof of delivery, the only answer that completes
 * - `accepted`: taken, not yet delivered
 * - `failed`: a definitive final status without delivery
 * - `rejected_recipient`, `rejected_request`: definitive refusals of this number or request. With `isOurMistake` it is
 *   the request that we make for any such order (a wrong package code, say): that is about us, not about this order
 * - `rejected_platform`: our float, credentials or account, not the order; without a `cause` they cannot serve this one order
 * - `not_registered`: the number must be registered first
 * - `duplicate_exists`: an earlier submit of this reference exists, so this is an accept
 * - `throttled`: not taken, try later
 * - `never_received`: a look-up does not know our reference; proves nothing until repeated in time
 * - `unfulfilled`: a look-up knows our reference and says that it is neither paid nor fulfilled, which may still
 *   change; a failure only when repeated after the time that the supplier's schedule asks for
 * - `not_sent`: we ourselves held it back before its first byte (too late, or stopping): this call reached nobody
 * - `unreachable`: no connection could be made, so no byte of this call left: it reached nobody. With `hasSpoken` the
 *   supplier itself said, before the call, that whom it would pass this one order to cannot be reached
 * - `unknown`: time-out, 5xx, unreadable or unexpected, or an end that names no reference of ours. With `suspects` it
 *   sounds as if the supplier refused us rather than the order, without proof that it was not executed: the order is
 *   only asked about, the route's health hears of it
 *
 * `not_sent` and `unreachable` speak of one call only. For an attempt's first and only send they prove that the supplier
 * has nothing; after an earlier send of the same reference they prove nothing about that one. Only a purchase (`buyData`,
 * `buyAirtime`, `payBill`) answers them: a look-up that could not be made is `unknown`.
 */
export type SupplierAnswer = AnswerDetails &
  (
    | { readonly meaning: 'delivered' | 'accepted' | 'failed' | 'rejected_recipient' }
    | { readonly meaning: 'rejected_request'; readonly isOurMistake?: true }
    | { readonly meaning: 'not_registered' | 'duplicate_exists' | 'never_received' | 'unfulfilled' | 'not_sent' | 'unreachable' }
    | { readonly meaning: 'unknown'; readonly suspects?: PlatformCause }
    | { readonly meaning: 'rejected_platform'; readonly cause?: PlatformCause }
    | { readonly meaning: 'throttled'; readonly retryAfterSeconds: number }
  )

/** Every meaning an answer can have. */
export type AnswerMeaning = SupplierAnswer['meaning']

/** What sending the same reference again does at a supplier. */
export type ResendClass = 'returns-original' | 'rejects-duplicate' | 'undocumented' | 'none'

/** When a supplier is asked about an attempt that was sent, and when the order is raised to a person. */
export type AskSchedule = {
  /** Seconds between questions; the last one repeats. */
  readonly delaysSeconds: readonly number[]
  /** Our request cannot take effect later than this many seconds after `send_before`. */
  readonly maximumInFlightSeconds: number
  /**
   * Two look-ups that say `unfulfilled` this many seconds apart prove a failure, if neither a look-up nor a callback said
   * `accepted` or `delivered` in between. Absent: `unfulfilled` is never proof.
   */
  readonly unfulfilledProofSeconds?: number
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

/** An attempt that is to be sent now. */
export type OutgoingAttempt = AttemptIdentity & {
  /**
   * Whether the send deadline has not passed. Asked immediately before the first byte is written, so that a process
   * which was paused never sends late. See `startSendDeadline`.
   */
  readonly mayStillSend: () => boolean
}

/** One bundle to be bought. */
export type DataBundleRequest = {
  readonly network: string
  readonly volumeGb: number
  /** 10 digits starting with 0. */
  readonly recipient: string
  /** The supplier's code of the package, from `package_offers`. */
  readonly packageCode: string
}

/** What a read of our float at a supplier answered. */
export type FloatAnswer =
  | { readonly meaning: 'read'; readonly floatPesewas: Pesewas }
  | { readonly meaning: 'refused'; readonly cause: 'auth' | 'disabled'; readonly evidence: string }
  | { readonly meaning: 'unknown'; readonly evidence: string }

/** A package on a supplier's own price list. */
export type ListedPackage = {
  readonly network: string
  readonly volumeGb: number
  /** What `package_offers.code` must hold for it. */
  readonly code: string
  readonly costPesewas: Pesewas
}

/** What a read of a supplier's price list answered. */
export type PackageListAnswer =
  | { readonly meaning: 'read'; readonly packages: readonly ListedPackage[] }
  | { readonly meaning: 'unknown'; readonly evidence: string }

/** The headers of a callback, names in lower case. */
export type CallbackHeaders = Readonly<Record<string, string | string[] | undefined>>

/** What a callback is found to be. A genuine one is only a hint to ask for the status, unless `callbackIsProof`. */
export type CallbackReading =
  | { readonly meaning: 'forged' }
  | { readonly meaning: 'unreadable'; readonly evidence: string }
  | { readonly meaning: 'read'; readonly outgoingReference: string; readonly answer: SupplierAnswer }

/** What any supplier offers, whatever it sells. */
export type Supplier = {
  readonly name: string
  readonly resendClass: ResendClass
  /** How long after the first send a re-send is safe; null: for ever. A later re-send could buy a second time. */
  readonly resendSafeSeconds: number | null
  /**
   * Whether the status look-up takes only the supplier's own code. An attempt without that code is then asked about by
   * sending it again, while that is safe.
   */
  readonly statusNeedsSupplierReference?: boolean
  readonly askSchedule: AskSchedule
  /** How long after a pause, and after each failed probe, a paused route is probed. */
  readonly probeSeconds: number
  /** Our float counts as empty below this. */
  readonly minimumFloatPesewas: Pesewas
  /** How many calls could be started right now without waiting for a slot or for the request rate. */
  freeSlots(): number
  /** Asks about an attempt, by our reference or theirs. A failure of the look-up itself is `unknown` and never a rejection. */
  askStatus(attempt: AttemptIdentity, signal: AbortSignal): Promise<SupplierAnswer>
  /** Reads our float at the supplier. */
  readFloat(signal: AbortSignal): Promise<FloatAnswer>
  /** Checks the signature of a callback and reads it. Absent: the supplier sends no callbacks, or unsigned ones. */
  readonly readCallback?: (headers: CallbackHeaders, rawBody: Buffer) => CallbackReading
  /**
   * Reads an unsigned callback that came to the address which only this attempt's supplier knows. The caller has
   * checked the address: see `callback-address.ts`. Absent when the supplier is given no such address.
   */
  readonly readAddressedCallback?: (outgoingReference: string, rawBody: Buffer) => CallbackReading
  /**
   * True: a callback of this supplier that says `delivered` or `failed` is proof, and the order is settled on it. If
   * callbacks contradict each other, they are only hints.
   */
  readonly callbackIsProof?: boolean
  /** Waits for calls in flight and closes the connections. */
  close(): Promise<void>
}

/** A supplier of data bundles. */
export type DataSupplier = Supplier & {
  /**
   * Sends one purchase, once: no retry inside. `attempt.mayStillSend` is asked immediately before the
   * request's first byte is written; when it answers false nothing leaves and the answer is `not_sent`.
   */
  buyData(request: DataBundleRequest, attempt: OutgoingAttempt, signal: AbortSignal): Promise<SupplierAnswer>
  /** Reads the supplier's own price list. Absent: the supplier offers no such list. */
  readonly listPackages?: (signal: AbortSignal) => Promise<PackageListAnswer>
}

/** Whether a supplier sells data bundles. */
export function sellsData(supplier: Supplier): supplier is DataSupplier {
  return 'buyData' in supplier
}

/** One top-up of airtime, at face value. */
export type AirtimeTopUp = {
  readonly network: string
  /** 10 digits starting with 0. */
  readonly recipient: string
  /** What the recipient receives. */
  readonly amountPesewas: Pesewas
}

/** A supplier of airtime. */
export type AirtimeSupplier = Supplier & {
  /**
   * Sends one top-up, once: no retry inside. `attempt.mayStillSend` is asked immediately before the
   * request's first byte is written; when it answers false nothing leaves and the answer is `not_sent`.
   */
  buyAirtime(request: AirtimeTopUp, attempt: OutgoingAttempt, signal: AbortSignal): Promise<SupplierAnswer>
}

/** Whether a supplier sells airtime. */
export function sellsAirtime(supplier: Supplier): supplier is AirtimeSupplier {
  return 'buyAirtime' in supplier
}

/** What names a customer's account at a biller. */
export type BillAccount = {
  /** The biller's key: `ecg`, `ghana_water`, `dstv`, `gotv`, `startimes`. */
  readonly biller: string
  /** The meter, smartcard or account number. */
  readonly account: string
  /** 10 digits starting with 0; only for billers that ask for it. */
  readonly phone: string | undefined
}

/** One bill to be paid, at face value. */
export type BillRequest = BillAccount & { readonly amountPesewas: Pesewas }

/** One meter linked to a phone (contract, Utility lookup result). */
export type BillMeter = {
  readonly name: string
  readonly meterNumber: string
  /** Negative: a credit balance. */
  readonly outstandingPesewas: Pesewas
}

/**
 * What a look-up of a biller's account answered.
 *
 * - `found`: an account, or the meters linked to a phone
 * - `not_found`: the biller says, definitively, that there is no such account, meter or smartcard
 * - `unavailable`: everything else (time-out, 5xx, throttled, refused, unreadable, unexpected)
 */
export type BillLookup =
  | {
      readonly meaning: 'found'
      readonly accountName: string | null
      readonly accountNumber: string | null
      /** Negative: a credit balance. */
      readonly amountDuePesewas: Pesewas | null
      readonly bouquet: string | null
      readonly meters: readonly BillMeter[]
    }
  | { readonly meaning: 'not_found' }
  | { readonly meaning: 'unavailable'; readonly evidence: string }

/** A supplier through which bills are paid. */
export type BillSupplier = Supplier & {
  /**
   * Sends one payment, once, without a retry. If something is needed before it (a session of the biller, for example),
   * the adapter fetches that first; if that fails, the payment is not sent, and the answer is `not_sent`, `unreachable`,
   * `throttled` or a refusal.
   * `attempt.mayStillSend` is asked immediately before the payment's first byte is written.
   */
  payBill(request: BillRequest, attempt: OutgoingAttempt, signal: AbortSignal): Promise<SupplierAnswer>
  /** Looks an account up at its biller. Moves no money and may be repeated. */
  lookUpAccount(account: BillAccount, signal: AbortSignal): Promise<BillLookup>
}

/** Whether bills are paid through a supplier. */
export function paysBills(supplier: Supplier): supplier is BillSupplier {
  return 'payBill' in supplier
}

/** The suppliers as configured now; kept up to date with the database in the background. */
export type SupplierRegistry = {
  /**
   * Finds a supplier whose configuration is complete. A disabled one is found too: it gets no new orders but is still
   * asked about old ones.
   */
  find(name: string): Supplier | undefined
  list(): readonly Supplier[]
  /** Reads the configuration at once, for a process that has just changed it. */
  refresh(): Promise<void>
  stop(): Promise<void>
}

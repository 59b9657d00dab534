import type { Pesewas } from '../money/pesewas.ts'

type AnswerDetails = {
  /** The supplier's answer, shortened and without secrets. For the operator; never shown to a reseller. */
  readonly evidence: string
  readonly supplierReference?: string
  readonly reportedCostPesewas?: Pesewas
  readonly reportedCommissionPesewas?: Pesewas
  /** Holder of the paid account. Anybody may have written it, and the order's owner sees it: see `reportedName`. */
  readonly accountName?: string
  /** The supplier answered in its own words, so it is reachable, whatever the answer means for the order. */
  readonly hasSpoken?: boolean
}

/** Why a supplier refuses our account rather than an order. */
export type PlatformCause = 'float' | 'auth' | 'disabled'

/**
 * The meaning of a supplier's answer for an order. An adapter never guesses success or failure: whatever it does not
 * recognise is `unknown`.
 *
 * - `delivered`: proof of delivery, the only answer that completes
 * - `accepted`: accepted, not yet delivered
 * - `failed`: a definitive final status without delivery
 * - `rejected_recipient`, `rejected_request`: definitive refusals of this number or request. With `isOurMistake`, any such
 *   order would get the same refusal (a wrong package code, say): that is about us, not about this order
 * - `rejected_platform`: the supplier refuses our float, credentials or account, not the order; without a `cause` it cannot
 *   serve this one order
 * - `not_registered`: the number must be registered first
 * - `duplicate_exists`: an earlier submit of this reference exists, so the order was accepted
 * - `throttled`: not accepted, try later
 * - `never_received`: a look-up does not know our reference; proof only when repeated after the request can no longer take
 *   effect: see `maximumInFlightSeconds`
 * - `unfulfilled`: a look-up knows our reference, and says that the order is neither paid nor fulfilled. That may still
 *   change; a failure only when repeated after the time in the supplier's schedule
 * - `not_sent`: we held the call back before its first byte (too late, or stopping): it reached nobody
 * - `unreachable`: no connection could be made, so no byte of this call was sent. With `hasSpoken`, the supplier answered the
 *   query before the purchase, but not with what the purchase needs
 * - `unknown`: time-out, 5xx, unreadable or unexpected, or an end that names no reference of ours. With `suspects`, the
 *   supplier seems to refuse our account, which does not prove that the order was not executed. The order is then only asked
 *   about, and the route's health counts the refusal
 *
 * `not_sent` and `unreachable` are about one call only. For an attempt's first and only send they prove that the supplier
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

export type AnswerMeaning = SupplierAnswer['meaning']

/** The effect of sending the same reference again. */
export type ResendClass = 'returns-original' | 'rejects-duplicate' | 'undocumented' | 'none'

/** When to ask a supplier about a sent attempt, and when to raise the order to a person. */
export type AskSchedule = {
  /** Seconds between look-ups; the last delay repeats. */
  readonly delaysSeconds: readonly number[]
  /** We assume that our request cannot take effect later than this many seconds after `send_before`. */
  readonly maximumInFlightSeconds: number
  /**
   * Two look-ups that say `unfulfilled` this many seconds apart prove a failure, if no look-up or callback said `accepted`
   * or `delivered` in between. Absent: `unfulfilled` is never proof.
   */
  readonly unfulfilledProofSeconds?: number
  /** A person is called after this time without a definitive answer. */
  readonly raiseAfterSeconds: number
}

/** Identifies an attempt to its supplier. */
export type AttemptIdentity = {
  /** Our reference, unique per supplier; stored before anything is sent. */
  readonly outgoingReference: string
  /** The supplier's own reference of this attempt, from an earlier answer. */
  readonly supplierReference: string | null
}

export type OutgoingAttempt = AttemptIdentity & {
  /**
   * Returns whether the send deadline lies ahead. Asked immediately before the first byte is written, so that a paused
   * process never sends late. See `startSendDeadline`.
   */
  readonly mayStillSend: () => boolean
}

export type DataBundleRequest = {
  readonly network: string
  readonly volumeGb: number
  /** 10 digits starting with 0. */
  readonly recipient: string
  /** The supplier's code of the package, from `package_offers`. */
  readonly packageCode: string
}

export type FloatAnswer =
  | { readonly meaning: 'read'; readonly floatPesewas: Pesewas }
  | { readonly meaning: 'refused'; readonly cause: 'auth' | 'disabled'; readonly evidence: string }
  | { readonly meaning: 'unknown'; readonly evidence: string }

export type ListedPackage = {
  readonly network: string
  readonly volumeGb: number
  /** The value for `package_offers.code`. */
  readonly code: string
  readonly costPesewas: Pesewas
}

export type PackageListAnswer =
  | { readonly meaning: 'read'; readonly packages: readonly ListedPackage[] }
  | { readonly meaning: 'unknown'; readonly evidence: string }

/** The headers of a callback, names in lower case. */
export type CallbackHeaders = Readonly<Record<string, string | string[] | undefined>>

/** A genuine callback only prompts a status look-up, unless `callbackIsProof`. */
export type CallbackReading =
  | { readonly meaning: 'forged' }
  | { readonly meaning: 'unreadable'; readonly evidence: string }
  | { readonly meaning: 'read'; readonly outgoingReference: string; readonly answer: SupplierAnswer }

/** Properties of any supplier, whatever it sells. */
export type Supplier = {
  readonly name: string
  readonly resendClass: ResendClass
  /** Time after the first send within which a re-send is safe. Null: for ever. A later re-send could buy a second time. */
  readonly resendSafeSeconds: number | null
  /**
   * Whether the status look-up accepts only the supplier's own code. An attempt without that code is then asked about by a
   * re-send, while that is safe.
   */
  readonly statusNeedsSupplierReference?: boolean
  readonly askSchedule: AskSchedule
  /** Delay of the next probe of a paused route, after the pause and after each failed probe. */
  readonly probeSeconds: number
  /** Our float counts as empty below this. */
  readonly minimumFloatPesewas: Pesewas
  /** How many calls could start right now, without waiting for a slot or for the rate. */
  freeSlots(): number
  /**
   * Asks about an attempt, by our reference or the supplier's. A failure of the look-up itself is `unknown` and never a
   * rejection.
   */
  askStatus(attempt: AttemptIdentity, signal: AbortSignal): Promise<SupplierAnswer>
  readFloat(signal: AbortSignal): Promise<FloatAnswer>
  /** Checks a callback's signature and reads it. Absent: the supplier sends no callbacks, or unsigned ones. */
  readonly readCallback?: (headers: CallbackHeaders, rawBody: Buffer) => CallbackReading
  /**
   * Reads an unsigned callback to the address that only this attempt's supplier knows. The caller has checked the address:
   * see `callback-address.ts`. Absent when the supplier gets no such address.
   */
  readonly readAddressedCallback?: (outgoingReference: string, rawBody: Buffer) => CallbackReading
  /**
   * True: a callback that says `delivered` or `failed` settles the order. Callbacks that contradict each other only prompt
   * look-ups.
   */
  readonly callbackIsProof?: boolean
  /** Waits for calls in flight and closes the connections. */
  close(): Promise<void>
}

export type DataSupplier = Supplier & {
  /**
   * Sends one purchase, once, without a retry. Asks `attempt.mayStillSend` immediately before the request's first byte; when
   * that returns false nothing is sent and the answer is `not_sent`.
   */
  buyData(request: DataBundleRequest, attempt: OutgoingAttempt, signal: AbortSignal): Promise<SupplierAnswer>
  /** Reads the supplier's own price list. Absent: none can be read. */
  readonly listPackages?: (signal: AbortSignal) => Promise<PackageListAnswer>
}

export function sellsData(supplier: Supplier): supplier is DataSupplier {
  return 'buyData' in supplier
}

/** One top-up of airtime, at face value. */
export type AirtimeTopUp = {
  readonly network: string
  /** 10 digits starting with 0. */
  readonly recipient: string
  /** Amount that the recipient receives. */
  readonly amountPesewas: Pesewas
}

export type AirtimeSupplier = Supplier & {
  /**
   * Sends one top-up, once, without a retry. Asks `attempt.mayStillSend` immediately before the request's first byte; when
   * that returns false nothing is sent and the answer is `not_sent`.
   */
  buyAirtime(request: AirtimeTopUp, attempt: OutgoingAttempt, signal: AbortSignal): Promise<SupplierAnswer>
}

export function sellsAirtime(supplier: Supplier): supplier is AirtimeSupplier {
  return 'buyAirtime' in supplier
}

/** Identifies a customer's account at a biller. */
export type BillAccount = {
  /** The biller's key: `ecg`, `ghana_water`, `dstv`, `gotv`, `startimes`. */
  readonly biller: string
  /** The meter, smartcard or account number. */
  readonly account: string
  /** 10 digits starting with 0; only for billers that require it. */
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
 * The answer to a look-up of a biller's account.
 *
 * - `found`: an account, or the meters linked to a phone
 * - `not_found`: definitively, the biller has no such account, meter or smartcard
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

export type BillSupplier = Supplier & {
  /**
   * Sends one payment, once, without a retry. The adapter first fetches what the payment needs, such as a session; if that
   * fails, the payment is not sent, and the answer is `not_sent`, `unreachable`, `throttled` or a refusal. Asks
   * `attempt.mayStillSend` immediately before the payment's first byte.
   */
  payBill(request: BillRequest, attempt: OutgoingAttempt, signal: AbortSignal): Promise<SupplierAnswer>
  /** Looks an account up at its biller. Moves no money and may be repeated. */
  lookUpAccount(account: BillAccount, signal: AbortSignal): Promise<BillLookup>
}

export function paysBills(supplier: Supplier): supplier is BillSupplier {
  return 'payBill' in supplier
}

/** The suppliers as configured; follows changes of the database in the background. */
export type SupplierRegistry = {
  /**
   * Finds a supplier with a complete configuration. Finds disabled ones too: they get no new orders but are still asked
   * about old ones.
   */
  find(name: string): Supplier | undefined
  list(): readonly Supplier[]
  /** Reads the configuration at once, for a process that has just changed it. */
  refresh(): Promise<void>
  stop(): Promise<void>
}

/** Reasons that the API gives. It may give others: installations add some. */
export type Reason =
  | 'account_suspended'
  | 'address_not_allowed'
  | 'applicant_too_young'
  | 'bill_account_not_found'
  | 'biller_unreachable'
  | 'business_account_needed'
  | 'campaign_not_found'
  | 'content_blocked'
  | 'duplicate_payment'
  | 'feature_disabled'
  | 'insufficient_credits'
  | 'insufficient_funds'
  | 'invalid_key'
  | 'invalid_request'
  | 'key_pending'
  | 'key_revoked'
  | 'network_unavailable'
  | 'number_not_registered'
  | 'order_not_found'
  | 'outcome_unknown'
  | 'overloaded'
  | 'package_not_found'
  | 'package_out_of_stock'
  | 'package_unavailable'
  | 'prefix_mismatch'
  | 'rate_limited'
  | 'reference_taken'
  | 'registration_server_unreachable'
  | 'role_not_allowed'
  | 'sender_not_approved'
  | 'voucher_stock_short'
  | 'voucher_type_not_found'
  | 'wrong_key_type'
  /** No answer of the API came: the connection broke, the time ran out, or something on the way answered. */
  | 'no_answer'
  /** This program does not trust the certificate of the server. Nothing was sent. */
  | 'untrusted_certificate'
  | (string & {})

export type ErrorFacts = {
  /** The word of the header `X-Error-Reason`, for programs. */
  readonly reason: Reason
  /** The HTTP status; undefined where no answer came. */
  readonly status?: number | undefined
  /** The id of the answer, for support. */
  readonly requestId?: string | undefined
  /** The reference of the order that was to be placed. */
  readonly reference?: string | undefined
  readonly retryAfterSeconds?: number | undefined
  readonly cause?: unknown
}

/** The base class of this client's errors. */
export class MakolaError extends Error {
  readonly reason: Reason
  readonly status: number | undefined
  readonly requestId: string | undefined
  readonly reference: string | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(message: string, { reason, status, requestId, reference, retryAfterSeconds, cause }: ErrorFacts) {
    super(message, cause === undefined ? {} : { cause })
    this.name = new.target.name
    this.reason = reason
    this.status = status
    this.requestId = requestId
    this.reference = reference
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** The API refused, and this call charged nothing. */
export class RefusedError extends MakolaError {}

/** 400: the request is not valid. */
export class InvalidRequestError extends RefusedError {}

/** 400 or 402: the wallet or the SMS credits are too low. */
export class InsufficientFundsError extends RefusedError {}

/**
 * 401 or 403: the key or the account may not do this. It says nothing about an earlier call with the same reference: if there
 * was one without an answer, repeat the reference with `isRepeat` once the key works.
 */
export class AccessError extends RefusedError {}

/** 404: there is no such package, order, voucher type, campaign or bill account, or it is not yours. */
export class NotFoundError extends RefusedError {}

/** 409: the reference belongs to another request, or something else stands in the way; `reason` says what. */
export class ConflictError extends RefusedError {}

/**
 * Within the deadline the API was busy, switched off or limited, or its certificate is not trusted. This call charged nothing.
 * Repeat it later with the same reference.
 */
export class UnavailableError extends MakolaError {}

/**
 * It is not known whether the order was placed and paid: the answer was lost. Keep `reference`, and repeat the same call with it and
 * `isRepeat` until it returns the order or throws something else. Never make a new reference instead.
 */
export class UnclearError extends MakolaError {}

/** The order has not ended within the time to wait. It is still on its way: do not buy again. */
export class StillOpenError extends MakolaError {}

/** The answer that refused a request, as far as it is known. */
export type RefusalFacts = ErrorFacts & { readonly status: number }

/** Makes the error of an answer that no later try will change. */
export function refusalOf(message: string, facts: RefusalFacts): RefusedError {
  if (['insufficient_funds', 'insufficient_credits'].includes(facts.reason)) return new InsufficientFundsError(message, facts)
  switch (facts.status) {
    case 400:
      return new InvalidRequestError(message, facts)
    case 401:
    case 403:
      return new AccessError(message, facts)
    case 404:
      return new NotFoundError(message, facts)
    case 409:
      return new ConflictError(message, facts)
    default:
      return new RefusedError(message, facts)
  }
}

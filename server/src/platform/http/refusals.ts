/**
 * Why a request was refused, in the words the caller sees. The HTTP status stands in the envelope's
 * `error.code`; `reason` travels in the header `X-Error-Reason` (decision A3: what the error envelope holds).
 */
export type Refusal = {
  readonly status: 400 | 401 | 402 | 403 | 404 | 409 | 410 | 429 | 500 | 502 | 503
  readonly reason: string
  readonly message: string
  /** Sent as `Retry-After`. */
  readonly retryAfterSeconds?: number
}

/** Thrown where a function cannot return the refusal as a value; the HTTP layer turns it into the envelope. */
export class RefusalError extends Error {
  readonly refusal: Refusal
  constructor(refusal: Refusal) {
    super(refusal.message)
    this.name = 'RefusalError'
    this.refusal = refusal
  }
}

const refuse = (status: Refusal['status'], reason: string, message: string): Refusal => ({ status, reason, message })

/** The one catalogue of refusals. Texts say what is wrong and what to do; none repeats another caller's data. */
export const refusals = {
  invalidRequest: (message: string) => refuse(400, 'invalid_request', message),
  unreadableBody: (message: string) => refuse(400, 'unreadable_body', message),
  invalidKey: refuse(
    401,
    'invalid_key',
    'The API key is missing or invalid. Send the raw key in the Authorization header, without "Bearer".',
  ),
  /** @param needed the key type with its article, such as `an SMS` */
  wrongKeyType: (needed: string) =>
    refuse(403, 'wrong_key_type', `This endpoint needs ${needed} key; the key sent is of another type.`),
  keyPending: refuse(403, 'key_pending', 'This key is waiting for approval by an administrator.'),
  keyRevoked: refuse(403, 'key_revoked', 'This key was revoked. Use the newest key of the account.'),
  accountSuspended: refuse(403, 'account_suspended', 'This account is suspended. Contact support.'),
  roleNotAllowed: refuse(403, 'role_not_allowed', 'The role of this account is not allowed to use the API.'),
  httpsOnly: refuse(403, 'https_only', 'Only HTTPS is accepted.'),
  routeNotFound: refuse(404, 'route_not_found', 'There is no such endpoint.'),
  orderNotFound: refuse(404, 'order_not_found', 'No order was found for this reference.'),
  packageNotFound: refuse(404, 'package_not_found', 'No package was found for this network and size.'),
  packageUnavailable: refuse(404, 'package_unavailable', 'This package is not available at the moment.'),
  packageOutOfStock: refuse(404, 'package_out_of_stock', 'This package is out of stock.'),
  voucherTypeNotFound: refuse(404, 'voucher_type_not_found', 'No voucher type on sale was found for this typeId.'),
  voucherStockShort: (available: number) =>
    refuse(400, 'voucher_stock_short', `Not enough vouchers of this type: ${available} available. Nothing was charged.`),
  voucherQuantityTooLarge: (maximum: number) => refuse(400, 'voucher_quantity_too_large', `quantity must be at most ${maximum}.`),
  applicantTooYoung: refuse(400, 'applicant_too_young', 'The applicant must be 18 or older, by date_of_birth.'),
  referenceTaken: refuse(
    409,
    'reference_taken',
    'This reference was already used for a different request. Nothing was charged; use a new reference.',
  ),
  numberNotRegistered: refuse(
    409,
    'number_not_registered',
    'This number is not registered yet. No order was placed and nothing was charged. The number was submitted for registration; retry in 24 hours.',
  ),
  registrationServerUnreachable: (server: number) =>
    refuse(502, 'registration_server_unreachable', `Registration server ${server} cannot be reached at the moment. Try again.`),
  prefixMismatch: (network: string) => refuse(400, 'prefix_mismatch', `The number does not belong to ${network}.`),
  insufficientFunds: refuse(400, 'insufficient_funds', 'Insufficient wallet balance for this purchase. Nothing was charged.'),
  insufficientCredits: refuse(402, 'insufficient_credits', 'Insufficient SMS credits. Nothing was charged.'),
  businessAccountNeeded: refuse(
    403,
    'business_account_needed',
    'SMS needs a business account that was approved. Contact support.',
  ),
  senderNotApproved: refuse(
    400,
    'sender_not_approved',
    'sender must be one of your approved sender IDs or a pool sender; see GET /sms/senders. Nothing was sent or charged.',
  ),
  contentBlocked: refuse(
    400,
    'content_blocked',
    'This text looks like a transaction message of a telecom and is blocked by the content policy. Nothing was sent or charged.',
  ),
  campaignNotFound: refuse(404, 'campaign_not_found', 'No SMS campaign was found for this id.'),
  networkUnavailable: (network: string) =>
    refuse(503, 'network_unavailable', `Nobody offers ${network} at the moment. Nothing was charged.`),
  billAccountNotFound: refuse(404, 'bill_account_not_found', 'The biller knows no such account, meter or smartcard.'),
  billerUnreachable: {
    ...refuse(
      502,
      'biller_unreachable',
      'The billing provider could not be reached. This says nothing about the account; try again.',
    ),
    retryAfterSeconds: 5,
  } satisfies Refusal as Refusal,
  /** @param retryAfterSeconds the rest of the window (decision R9: one bill twice within 30 s) */
  duplicatePayment: (retryAfterSeconds: number): Refusal => ({
    ...refuse(
      409,
      'duplicate_payment',
      'The same amount was paid to this account less than 30 seconds ago. This call placed no payment and charged nothing; wait before you pay it again.',
    ),
    retryAfterSeconds,
  }),
  topUpRemoved: refuse(410, 'top_up_removed', 'Top-up through the API was removed. Top up in the web dashboard.'),
  versionRetired: refuse(410, 'version_retired', 'Version 1 of this API is retired. Use version 2, under /api/v2.'),
  rateLimited: (retryAfterSeconds: number): Refusal => ({
    ...refuse(429, 'rate_limited', 'Too many requests. Wait a moment and try again.'),
    retryAfterSeconds,
  }),
  notReady: {
    ...refuse(
      503,
      'not_ready',
      'This process is not ready for requests: it is stopping, or the database is away or takes no writes.',
    ),
    retryAfterSeconds: 2,
  } satisfies Refusal as Refusal,
  internalError: refuse(
    500,
    'internal_error',
    'Something went wrong on our side. It was recorded. Retry with the same reference.',
  ),
  featureDisabled: (feature: string) =>
    refuse(503, 'feature_disabled', `${feature} is switched off by the administrator at the moment.`),
  overloaded: {
    ...refuse(503, 'overloaded', 'The service is busy. Nothing was charged; retry with the same reference.'),
    retryAfterSeconds: 2,
  } satisfies Refusal as Refusal,
  outcomeUnknown: {
    ...refuse(
      503,
      'outcome_unknown',
      'The outcome of this request could not be learnt. Retry with the same reference: it will not be charged twice.',
    ),
    retryAfterSeconds: 5,
  } satisfies Refusal as Refusal,
} as const

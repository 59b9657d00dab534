/**
 * A refusal in the words that the caller sees. The HTTP status is `error.code` of the envelope; `reason` is the header
 * `X-Error-Reason` (decision A3: what the error envelope holds).
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

/** Makes a refusal without a time to wait. The message names the fault and the remedy, and never another caller's data. */
export function refuse(status: Refusal['status'], reason: string, message: string): Refusal {
  return { status, reason, message }
}

/** A catalogue of refusals by their names in the code. Some are functions, because their text depends on the request. */
export type Refusals = Readonly<Record<string, Refusal | ((...values: never[]) => Refusal)>>

/** The refusals that belong to no product. A product's own are in its `.refusals.ts`. */
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
  addressNotAllowed: refuse(
    403,
    'address_not_allowed',
    'This key may not be used from this address. Its owner can allow the address in the dashboard.',
  ),
  accountSuspended: refuse(403, 'account_suspended', 'This account is suspended. Contact support.'),
  roleNotAllowed: refuse(403, 'role_not_allowed', 'The role of this account is not allowed to use the API.'),
  httpsOnly: refuse(403, 'https_only', 'Only HTTPS is accepted.'),
  routeNotFound: refuse(404, 'route_not_found', 'There is no such endpoint. The paths of this API begin with /api/v2.'),
  orderNotFound: refuse(404, 'order_not_found', 'No order was found for this reference.'),
  referenceTaken: refuse(
    409,
    'reference_taken',
    'This reference was already used for a different request. This try charged nothing; use a new reference.',
  ),
  /** @param price the present price in words: `GHS 9.80` */
  priceChanged: (price: string) =>
    refuse(
      409,
      'price_changed',
      `The price is now ${price}, which is not what was shown. This try charged nothing; look at the new price and buy again.`,
    ),
  /** @param left what is left of the limit today, in words */
  spendingLimit: (left: string) =>
    refuse(
      403,
      'spending_limit',
      `This is more than you may spend today. ${left} of your daily limit is left; the owner of the account can raise it. This try charged nothing.`,
    ),
  prefixMismatch: (network: string) =>
    refuse(400, 'prefix_mismatch', `By its first three digits the number does not belong to ${network}.`),
  insufficientFunds: refuse(
    400,
    'insufficient_funds',
    'Insufficient wallet balance for this purchase. This try charged nothing.',
  ),
  networkUnavailable: (network: string) =>
    refuse(503, 'network_unavailable', `Nobody offers ${network} at the moment. This try charged nothing.`),
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
    ...refuse(
      503,
      'overloaded',
      'The service is busy. This try charged nothing; an earlier one with the same reference may have. Retry with the same reference: it will not be charged twice.',
    ),
    retryAfterSeconds: 2,
  } satisfies Refusal as Refusal,
  historyHeld: {
    ...refuse(
      503,
      'history_held',
      'Nothing is sold at the moment: our database was restored, and people check what it may lack. This try charged nothing; an earlier one with the same reference may have. Retry with the same reference in a few minutes.',
    ),
    retryAfterSeconds: 60,
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

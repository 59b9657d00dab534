/** A budget of requests per key. Endpoints that name the same budget share it. */
export type RateLimit = {
  /** The endpoint's name in the documentation; also the budget's name in the headers and in the setting `rate_limits`. */
  readonly name: string
  /** Requests per key and minute. Left out: no limit until the operator sets one. */
  readonly perMinute?: number
}

/** The limits of the endpoints that belong to no product (contract, Limits, "Rate limits per key"). */
export const limits = {
  accountRole: { name: 'GET /account/role', perMinute: 30 },
  walletBalance: { name: 'GET /wallet/balance' },
  orders: { name: 'GET /orders', perMinute: 60 },
  walletTransactions: { name: 'GET /wallet/transactions', perMinute: 60 },
  request: { name: 'GET /requests/{request_id}', perMinute: 60 },
} as const satisfies Record<string, RateLimit>

/** The operator's limits by the budget's name, in requests per key and minute. */
export type RateLimitOverrides = Readonly<Record<string, number>>

/** The operator's limit, else the contract's. Undefined: there is none. */
export function requestsPerMinute(limit: RateLimit, overrides: RateLimitOverrides): number | undefined {
  return Object.hasOwn(overrides, limit.name) ? overrides[limit.name] : limit.perMinute
}

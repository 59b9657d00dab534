/** A budget of requests per key. Endpoints that name the same budget share it. */
export type RateLimit = {
  /** The endpoint as the documentation writes it; also the budget's name in the headers and in the setting `rate_limits`. */
  readonly name: string
  /** Requests per key and minute; without it the endpoint has no limit until the operator sets one. */
  readonly perMinute?: number
}

/** The contract's table of limits (Limits, "Rate limits per key"), and the endpoints that have none in it. */
export const limits = {
  accountRole: { name: 'GET /account/role', perMinute: 30 },
  packages: { name: 'GET /packages' },
  dataPurchase: { name: 'POST /data/purchase' },
  dataBulk: { name: 'POST /data/bulk' },
  /** One budget for the combined check and the two of a single server. */
  verifyNumber: { name: 'POST /data/verify-number', perMinute: 20 },
  walletBalance: { name: 'GET /wallet/balance' },
  dataOrder: { name: 'GET /orders/{reference}' },
  airtimePurchase: { name: 'POST /airtime/purchase', perMinute: 10 },
  airtimeOrders: { name: 'GET /airtime/orders', perMinute: 30 },
  airtimeOrder: { name: 'GET /airtime/orders/{reference}', perMinute: 30 },
  resultsCheckerTypes: { name: 'GET /resultschecker/types', perMinute: 30 },
  resultsCheckerPurchase: { name: 'POST /resultschecker/purchase', perMinute: 10 },
  resultsCheckerOrders: { name: 'GET /resultschecker/orders', perMinute: 30 },
  resultsCheckerOrder: { name: 'GET /resultschecker/orders/{reference}', perMinute: 30 },
  afaRegister: { name: 'POST /afa/register', perMinute: 10 },
  afaOrders: { name: 'GET /afa/orders', perMinute: 30 },
  afaOrder: { name: 'GET /afa/orders/{reference}', perMinute: 30 },
  smsSend: { name: 'POST /sms/send' },
  smsSenders: { name: 'GET /sms/senders' },
  smsCampaigns: { name: 'GET /sms/campaigns' },
  smsMessages: { name: 'GET /sms/messages/{id}' },
  smsBalance: { name: 'GET /sms/balance' },
  utilityBillers: { name: 'GET /utilities/billers', perMinute: 30 },
  utilityLookup: { name: 'GET /utilities/lookup', perMinute: 10 },
  utilityPay: { name: 'POST /utilities/pay', perMinute: 6 },
  utilityOrder: { name: 'GET /utilities/orders/{reference}', perMinute: 30 },
} as const satisfies Record<string, RateLimit>

/** What the operator set instead, by the budget's name, in requests per key and minute. */
export type RateLimitOverrides = Readonly<Record<string, number>>

/** The limit in force: the operator's number, else the contract's, else none. */
export function requestsPerMinute(limit: RateLimit, overrides: RateLimitOverrides): number | undefined {
  return Object.hasOwn(overrides, limit.name) ? overrides[limit.name] : limit.perMinute
}

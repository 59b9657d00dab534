export const webhookWays = ['sent', 'lost', 'twice', 'late', 'forged'] as const
/** How the webhook about a payment is sent. `late` waits `lateMilliseconds`. */
export type WebhookWay = (typeof webhookWays)[number]

export const paidWays = ['exactly', 'too_little', 'other_currency'] as const
export type PaidWay = (typeof paidWays)[number]

export const paystackOutages = ['none', 'error', 'hang', 'garbage', 'unauthorised', 'initialize_lost'] as const
/** A fault of the API. `initialize_lost` accepts the payment and gives no answer. */
export type PaystackOutage = (typeof paystackOutages)[number]

/** Behaviour of the simulated Paystack, unless the payment page chooses another. Times in milliseconds, already scaled. */
export type PaystackBehaviour = {
  outage: PaystackOutage
  webhook: WebhookWay
  paid: PaidWay
  /** How long a payer takes to approve on the phone. */
  slowMilliseconds: number
  lateMilliseconds: number
}

export function defaultPaystackBehaviour(timeScale: number): PaystackBehaviour {
  return {
    outage: 'none',
    webhook: 'sent',
    paid: 'exactly',
    slowMilliseconds: Math.round(6_000 * timeScale),
    lateMilliseconds: Math.round(20_000 * timeScale),
  }
}

const milliseconds = { type: 'integer', minimum: 0, maximum: 86_400_000 }

export const paystackChangeSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    outage: { enum: paystackOutages },
    webhook: { enum: webhookWays },
    paid: { enum: paidWays },
    slowMilliseconds: milliseconds,
    lateMilliseconds: milliseconds,
  },
} as const

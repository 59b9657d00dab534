export const webhookWays = ['sent', 'lost', 'twice', 'late', 'forged'] as const
/** What becomes of the webhook about a payment. `late` comes after `lateMilliseconds`. */
export type WebhookWay = (typeof webhookWays)[number]

export const paidWays = ['exactly', 'too_little', 'other_currency'] as const
/** Whether the payer pays the amount that was asked for, less, or in another currency. */
export type PaidWay = (typeof paidWays)[number]

export const paystackOutages = ['none', 'error', 'hang', 'garbage', 'unauthorised', 'initialize_lost'] as const
/** What the API does instead of answering. `initialize_lost` takes the payment and answers nothing. */
export type PaystackOutage = (typeof paystackOutages)[number]

/** How the simulated Paystack behaves where the payment page says nothing else. Times in milliseconds, already scaled. */
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

/** JSON schema of a change. */
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

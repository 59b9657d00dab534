import { randomBytes } from 'node:crypto'

export type PaymentStatus = 'abandoned' | 'ongoing' | 'success' | 'failed' | 'reversed'

export type Payment = {
  readonly id: number
  readonly reference: string
  readonly accessCode: string
  readonly email: string
  readonly requestedAmount: number
  readonly callbackUrl: string
  readonly cancelUrl: string
  readonly createdAt: string
  status: PaymentStatus
  /** The paid amount; before the payment, the requested amount. */
  amount: number
  currency: string
  channel: string
  message: string
  paidAt: string | null
}

export type NewPayment = Pick<Payment, 'reference' | 'email' | 'requestedAmount' | 'callbackUrl' | 'cancelUrl'> & {
  readonly currency: string
}

export type PaymentBook = {
  /** @returns undefined when the reference is used already */
  open(payment: NewPayment): Payment | undefined
  find(reference: string): Payment | undefined
  findByCode(accessCode: string): Payment | undefined
}

/** Keeps the payments in memory: a restart drops them. */
export function openPaymentBook(): PaymentBook {
  const byReference = new Map<string, Payment>()
  const byCode = new Map<string, Payment>()
  let lastId = 1_000_000
  return {
    open(asked) {
      if (byReference.has(asked.reference)) return undefined
      lastId += 1
      const payment: Payment = {
        ...asked,
        id: lastId,
        accessCode: randomBytes(8).toString('hex'),
        createdAt: new Date().toISOString(),
        status: 'abandoned',
        amount: asked.requestedAmount,
        channel: 'mobile_money',
        message: 'The transaction was not completed',
        paidAt: null,
      }
      byReference.set(payment.reference, payment)
      byCode.set(payment.accessCode, payment)
      return payment
    },
    find: (reference) => byReference.get(reference),
    findByCode: (accessCode) => byCode.get(accessCode),
  }
}

export function viewPayment(payment: Payment): Record<string, unknown> {
  return {
    id: payment.id,
    domain: 'test',
    status: payment.status,
    reference: payment.reference,
    receipt_number: null,
    amount: payment.amount,
    message: null,
    gateway_response: payment.message,
    paid_at: payment.paidAt,
    created_at: payment.createdAt,
    channel: payment.channel,
    currency: payment.currency,
    requested_amount: payment.requestedAmount,
    fees: payment.paidAt === null ? null : Math.round(payment.amount * 0.0195),
    customer: { email: payment.email },
  }
}

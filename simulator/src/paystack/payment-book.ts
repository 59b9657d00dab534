import { randomBytes } from 'node:crypto'

export type PaymentStatus = 'abandoned' | 'ongoing' | 'success' | 'failed' | 'reversed'

/** A payment, as the gateway knows it. Amounts in pesewas. */
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
  /** The amount that was paid. Before the payment, the amount that was asked for. */
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
  /** @returns undefined when the reference is taken */
  open(payment: NewPayment): Payment | undefined
  find(reference: string): Payment | undefined
  findByCode(accessCode: string): Payment | undefined
}

/** Keeps the payments of this process; a restarted simulator knows none. */
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

/** The payment as the API and the webhooks show it. */
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

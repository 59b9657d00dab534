import { createHmac } from 'node:crypto'
import type { WebhookQueue } from '../webhooks/start-webhook-queue.ts'
import { type Payment, viewPayment } from './payment-book.ts'
import type { PaystackBehaviour, WebhookWay } from './paystack-behaviour.ts'

export type PaymentAnnouncer = {
  readonly webhooks: WebhookQueue
  readonly behaviour: PaystackBehaviour
  readonly secretKey: string
}

type WebhookShape = { readonly isForged?: boolean; readonly delayMilliseconds?: number; readonly event?: string }

/** Sends one webhook about a payment. A forged one is signed with another key. */
export function sendPaymentWebhook(
  { webhooks, secretKey }: PaymentAnnouncer,
  data: Record<string, unknown>,
  { isForged = false, delayMilliseconds = 0, event = 'charge.success' }: WebhookShape = {},
): void {
  const body = JSON.stringify({ event, data })
  const key = isForged ? 'sk_test_of_somebody_else' : secretKey
  webhooks.send({
    path: '/callbacks/paystack',
    headers: {
      'content-type': 'application/json',
      'x-paystack-signature': createHmac('sha512', key).update(body).digest('hex'),
    },
    body,
    delayMilliseconds,
  })
}

/** Sends the webhook of a successful payment, in the way chosen on the payment page. */
export function announcePayment(announcer: PaymentAnnouncer, payment: Payment, way: WebhookWay): void {
  if (way === 'lost') return
  const data = viewPayment(payment)
  sendPaymentWebhook(announcer, data, {
    isForged: way === 'forged',
    delayMilliseconds: way === 'late' ? announcer.behaviour.lateMilliseconds : 0,
  })
  if (way === 'twice') sendPaymentWebhook(announcer, data)
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { RequestRecord } from '../control/record-requests.ts'
import type { LostAnswers } from '../lost-answers.ts'
import { htmlPage } from '../stand-in/apply-outage.ts'
import type { UndecidedPayers } from '../undecided-payers.ts'
import { announcePayment, type PaymentAnnouncer, sendPaymentWebhook } from './announce-payment.ts'
import { type Payment, type PaymentBook, viewPayment } from './payment-book.ts'
import { paymentEndPage, paymentPage } from './payment-page.ts'
import {
  defaultPaystackBehaviour,
  type PaidWay,
  type PaystackBehaviour,
  paidWays,
  paystackChangeSchema,
  type WebhookWay,
  webhookWays,
} from './paystack-behaviour.ts'

export type PaystackStandIn = PaymentAnnouncer & {
  readonly book: PaymentBook
  readonly lost: LostAnswers
  readonly requests: RequestRecord
  readonly payers: UndecidedPayers
}

const refusal = (message: string, code: string) => ({ status: false, message, type: 'validation_error', code })

type InitializeBody = {
  readonly email?: unknown
  readonly amount?: unknown
  readonly currency?: unknown
  readonly reference?: unknown
  readonly callback_url?: unknown
  readonly metadata?: { readonly cancel_action?: unknown }
}

const textIn = (value: unknown) => (typeof value === 'string' ? value : '')

function addApiRoutes(app: FastifyInstance, { book, behaviour, lost, requests, secretKey }: PaystackStandIn): void {
  app.addHook('preHandler', async (request, reply) => {
    if (behaviour.outage === 'hang') {
      lost.hang(reply)
      return reply
    }
    if (behaviour.outage === 'error') return reply.code(500).type('text/html').send(htmlPage)
    if (behaviour.outage === 'garbage') return reply.code(200).type('application/json').send('{"status":true,"da')
    if (behaviour.outage === 'unauthorised' || request.headers.authorization !== `Bearer ${secretKey}`) {
      return reply.code(401).send(refusal('Invalid key', 'invalid_Key'))
    }
    return undefined
  })
  app.post<{ Body: InitializeBody | null }>('/transaction/initialize', (request, reply) => {
    const { email, amount, currency, reference, callback_url, metadata } = request.body ?? {}
    const asked = Number(amount)
    if (!/^[^@\s]+@[^@\s]+$/.test(textIn(email)))
      return reply.code(400).send(refusal('Invalid Email Address Passed', 'invalid_params'))
    if (!Number.isSafeInteger(asked) || asked < 1) return reply.code(400).send(refusal('Invalid Amount Sent', 'invalid_params'))
    if (!/^[A-Za-z0-9.=-]{1,100}$/.test(textIn(reference))) {
      return reply.code(400).send(refusal('Invalid reference', 'invalid_params'))
    }
    requests.setReference(request, textIn(reference))
    const payment = book.open({
      reference: textIn(reference),
      email: textIn(email),
      requestedAmount: asked,
      currency: textIn(currency) || 'GHS',
      callbackUrl: textIn(callback_url),
      cancelUrl: textIn(metadata?.cancel_action) || textIn(callback_url),
    })
    if (!payment) return reply.code(400).send(refusal('Duplicate Transaction Reference', 'duplicate_reference'))
    if (behaviour.outage === 'initialize_lost') return lost.hang(reply)
    const url = `http://${request.host}/paystack/pay/${payment.accessCode}`
    return reply.send({
      status: true,
      message: 'Authorization URL created',
      data: { authorization_url: url, access_code: payment.accessCode, reference: payment.reference },
    })
  })
  app.get<{ Params: { reference: string } }>('/transaction/verify/:reference', (request, reply) => {
    requests.setReference(request, request.params.reference)
    const payment = book.find(request.params.reference)
    if (!payment) return reply.code(400).send(refusal('Transaction reference not found.', 'transaction_not_found'))
    return reply.send({ status: true, message: 'Verification successful', data: viewPayment(payment) })
  })
}

function succeed(standIn: PaystackStandIn, payment: Payment, { webhook, paid }: { webhook: WebhookWay; paid: PaidWay }): void {
  payment.status = 'success'
  payment.message = 'Approved'
  payment.paidAt = new Date().toISOString()
  if (paid === 'too_little') payment.amount = Math.max(1, payment.requestedAmount - 100)
  if (paid === 'other_currency') payment.currency = 'NGN'
  announcePayment(standIn, payment, webhook)
}

/** Redirects the payer to the buyer's page, with the query parameters that Paystack adds. */
function redirectPayer(reply: FastifyReply, address: string, { reference }: Payment): FastifyReply {
  const separator = address.includes('?') ? '&' : '?'
  const query = `trxref=${encodeURIComponent(reference)}&reference=${encodeURIComponent(reference)}`
  return address === ''
    ? reply.type('text/html').send(paymentEndPage('Done'))
    : reply.redirect(`${address}${separator}${query}`, 303)
}

function chooseOrDefault<Way extends string>(given: string | undefined, ways: readonly Way[], otherwise: Way): Way {
  return ways.find((way) => way === given) ?? otherwise
}

function handlePayerAction(
  standIn: PaystackStandIn,
  payment: Payment,
  fields: Record<string, string>,
  reply: FastifyReply,
): FastifyReply {
  const { behaviour } = standIn
  const ways = {
    webhook: chooseOrDefault(fields.webhook, webhookWays, behaviour.webhook),
    paid: chooseOrDefault(fields.paid, paidWays, behaviour.paid),
  }
  const { action } = fields
  const isOpen = payment.status === 'abandoned' || payment.status === 'failed'
  if (action === 'forge') {
    const claimed = { ...viewPayment(payment), status: 'success', paid_at: new Date().toISOString() }
    sendPaymentWebhook(standIn, claimed, { isForged: true })
  } else if (isOpen && action === 'decline') {
    payment.status = 'failed'
    payment.message = 'Declined'
  } else if (isOpen && action === 'slow') {
    payment.status = 'ongoing'
    payment.message = 'Approve the payment on your phone'
    standIn.payers.wait(() => succeed(standIn, payment, ways), behaviour.slowMilliseconds)
  } else if (isOpen && (action === 'pay' || action === 'stay')) succeed(standIn, payment, ways)
  if (action === 'stay') return reply.type('text/html').send(paymentEndPage('Paid'))
  return redirectPayer(reply, action === 'cancel' ? payment.cancelUrl : payment.callbackUrl, payment)
}

function addPageRoutes(app: FastifyInstance, standIn: PaystackStandIn): void {
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  )
  const find = (request: FastifyRequest) => standIn.book.findByCode((request.params as { code: string }).code)
  app.get('/pay/:code', (request, reply) => {
    const payment = find(request)
    if (!payment) return reply.code(404).type('text/html').send(paymentEndPage('There is no such payment'))
    return reply.type('text/html').send(paymentPage(payment, standIn.behaviour))
  })
  app.post<{ Body: Record<string, string> }>('/pay/:code', (request, reply) => {
    const payment = find(request)
    if (!payment) return reply.code(404).type('text/html').send(paymentEndPage('There is no such payment'))
    return handlePayerAction(standIn, payment, request.body, reply)
  })
}

export async function addPaystackRoutes(app: FastifyInstance, standIn: PaystackStandIn): Promise<void> {
  await app.register(async (scope) => addApiRoutes(scope, standIn))
  await app.register(async (scope) => addPageRoutes(scope, standIn))
}

type WebhookBody = { readonly reference: string; readonly isForged?: boolean; readonly event?: string }

export function addPaystackControlRoutes(app: FastifyInstance, standIn: PaystackStandIn, timeScale: number): void {
  const { behaviour, book, payers } = standIn
  app.get('/control/paystack', () => behaviour)
  app.post<{ Body: Partial<PaystackBehaviour> }>('/control/paystack', { schema: { body: paystackChangeSchema } }, (request) =>
    Object.assign(behaviour, request.body),
  )
  app.delete('/control/paystack', () => Object.assign(behaviour, defaultPaystackBehaviour(timeScale)))
  app.post<{ Body: { reference: string } }>('/control/paystack/reverse', (request, reply) => {
    const payment = book.find(request.body.reference)
    if (!payment) return reply.code(404).send({ error: 'no such payment' })
    payment.status = 'reversed'
    sendPaymentWebhook(
      standIn,
      { ...viewPayment(payment), transaction_reference: payment.reference },
      { event: 'refund.processed' },
    )
    return reply.code(202).send({ status: 'reversed' })
  })
  app.post('/control/paystack/decisions', () => {
    payers.decideAll()
    return { status: 'every payer has decided' }
  })
  app.post<{ Body: WebhookBody }>('/control/paystack/webhooks', (request, reply) => {
    const { reference, ...shape } = request.body
    const payment = book.find(reference)
    if (!payment) return reply.code(404).send({ error: 'no such payment' })
    sendPaymentWebhook(standIn, { ...viewPayment(payment), status: 'success' }, shape)
    return reply.code(202).send({ status: 'on its way' })
  })
}

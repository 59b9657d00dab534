import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify'
import type { RequestRecord } from '../control/record-requests.ts'
import type { LostAnswers } from '../lost-answers.ts'
import { createMinuteCounter, type RateLimitView } from '../minute-counter.ts'
import { applyOutage, htmlPage, type OutageWords } from '../stand-in/apply-outage.ts'
import type { DataMartStandIn } from './datamart-stand-in.ts'
import { type PurchaseAnswer, purchaseBundle } from './purchase-bundle.ts'
import { viewOrder } from './view-order.ts'

type Answer = {
  readonly status: 'success' | 'error'
  readonly code?: string
  readonly message?: string
  readonly data?: unknown
  readonly rateLimit?: RateLimitView | null
}

function errorAnswer(code: string, message: string, rateLimit?: RateLimitView | null): Answer {
  return { status: 'error', code, message, ...(rateLimit ? { rateLimit } : {}) }
}

function successAnswer(data: unknown, rateLimit: RateLimitView | null): Answer {
  return { status: 'success', data, ...(rateLimit ? { rateLimit } : {}) }
}

/** DataMart's public check allows this many calls a minute. */
const verificationsPerMinute = 2

const outageWords: OutageWords = {
  purchasePath: '/purchase',
  garbage: '{"status":"succ',
  throttled: errorAnswer('RATE_LIMITED', 'Too many requests.'),
  unauthorised: errorAnswer('INVALID_API_KEY', 'The API key is not valid.'),
  disabled: errorAnswer('ACCOUNT_DISABLED', 'This account is disabled.'),
}

declare module 'fastify' {
  interface FastifyRequest {
    rateLimit: RateLimitView | null
  }
}

export function addDataMartRoutes(
  app: FastifyInstance,
  standIn: DataMartStandIn,
  lost: LostAnswers,
  requests: RequestRecord,
): void {
  const calls = createMinuteCounter()
  const verifications = createMinuteCounter()
  const limited = (reply: FastifyReply, limit: RateLimitView) =>
    reply
      .code(429)
      .header('retry-after', limit.resetSeconds)
      .send(errorAnswer('RATE_LIMITED', 'Too many requests.', limit))

  app.decorateRequest('rateLimit', null)

  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const isTheirs = error.statusCode !== undefined && error.statusCode < 500
    if (!isTheirs) request.log.error({ err: error }, 'a request failed')
    return isTheirs
      ? reply.code(400).send(errorAnswer('INVALID_REQUEST', error.message))
      : reply.code(500).send(errorAnswer('SERVER_ERROR', 'Something went wrong.'))
  })

  app.addHook('preHandler', async (request, reply) => {
    const reference = readReference(request.body, request.params)
    if (reference !== undefined) requests.setReference(request, reference)
    if (standIn.behaviour.answerMilliseconds > 0) await wait(standIn.behaviour.answerMilliseconds)
    if (applyOutage(standIn.behaviour, lost, reply, outageWords)) return reply
    if (request.headers['x-api-key'] !== standIn.apiKey) {
      return reply.code(401).send(errorAnswer('INVALID_API_KEY', 'The API key is missing or not valid.'))
    }
    const { isOver, view } = calls.count(standIn.behaviour.requestsPerMinute)
    request.rateLimit = view
    return isOver ? limited(reply, view) : undefined
  })

  app.post('/api/developer/purchase', async (request, reply) => {
    const answer = await purchaseBundle(standIn, request.body, request.headers['x-idempotency-key'])
    return sendPurchaseAnswer(answer, standIn, lost, reply, request.rateLimit)
  })

  app.get<{ Params: { reference: string } }>('/api/developer/order-status/:reference', async (request, reply) => {
    await standIn.book.settled()
    const now = Date.now()
    const order = standIn.book.find(request.params.reference)
    if (!order || now - order.createdAt < standIn.behaviour.lookUpBlindMilliseconds) {
      return reply.code(404).send(errorAnswer('ORDER_NOT_FOUND', 'There is no such order.', request.rateLimit))
    }
    return successAnswer(viewOrder(order, now), request.rateLimit)
  })

  app.get('/api/developer/balance', (request) =>
    successAnswer({ balance: standIn.balancePesewas() / 100, currency: 'GHS' }, request.rateLimit),
  )

  app.post<{ Body: { phoneNumber?: unknown } | null }>('/api/developer/verify-number', async (request, reply) => {
    const { isOver, view } = verifications.count(verificationsPerMinute)
    if (isOver) return limited(reply, view)
    const phoneNumber = request.body?.phoneNumber
    if (typeof phoneNumber !== 'string' || !/^0\d{9}$/.test(phoneNumber)) {
      return reply.code(400).send(errorAnswer('INVALID_RECIPIENT', 'phoneNumber must have 10 digits and start with 0.', view))
    }
    const recommendation = standIn.isRegisteredSomewhere(phoneNumber) ? 'sell_any' : 'activate_first'
    return successAnswer({ phoneNumber, recommendation }, view)
  })
}

function sendPurchaseAnswer(
  answer: PurchaseAnswer,
  standIn: DataMartStandIn,
  lost: LostAnswers,
  reply: FastifyReply,
  rateLimit: RateLimitView | null,
): FastifyReply {
  if (answer.kind === 'taken') return reply.send(successAnswer(answer.order, rateLimit))
  if (answer.kind === 'refused') return reply.code(answer.status).send(errorAnswer(answer.code, answer.message, rateLimit))
  if (answer.kind === 'page') return reply.code(500).type('text/html').send(htmlPage)
  if (answer.kind === 'unreadable') return reply.type('application/json').send('{"status":"success","data":{"ref":')
  lost.lose(reply, standIn.behaviour.lostAnswerMilliseconds)
  return reply
}

function readReference(body: unknown, params: unknown): string | undefined {
  const { ref } = (typeof body === 'object' && body !== null ? body : {}) as { ref?: unknown }
  if (typeof ref === 'string') return ref
  return (params as { reference?: string } | undefined)?.reference
}

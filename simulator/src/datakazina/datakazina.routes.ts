import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify'
import type { RequestRecord } from '../control/record-requests.ts'
import type { LostAnswers } from '../lost-answers.ts'
import { createMinuteCounter } from '../minute-counter.ts'
import { applyOutage, htmlPage, type OutageWords } from '../stand-in/apply-outage.ts'
import type { DataKazinaStandIn } from './datakazina-stand-in.ts'
import { listPrices } from './price-list.ts'
import { type PurchaseAnswer, purchaseBundle } from './purchase-bundle.ts'
import { viewOrder } from './view-order.ts'

type Answer = {
  readonly success: boolean
  readonly message: string
  readonly code?: string
  readonly errors?: Readonly<Record<string, readonly string[]>>
  readonly data?: unknown
}

function errorAnswer(code: string, message: string): Answer {
  return { success: false, code, message }
}

function successAnswer(message: string, data: unknown): Answer {
  return { success: true, message, data }
}

const purchasePath = '/buy-data-package'

const outageWords: OutageWords = {
  purchasePath,
  garbage: '{"success":tr',
  throttled: errorAnswer('TOO_MANY_REQUESTS', 'Too Many Attempts.'),
  unauthorised: errorAnswer('UNAUTHENTICATED', 'The API key is not valid.'),
  disabled: errorAnswer('ACCOUNT_DISABLED', 'This account is disabled.'),
}

const duplicateText = 'The incoming api ref has already been taken.'

export function addDataKazinaRoutes(
  app: FastifyInstance,
  standIn: DataKazinaStandIn,
  lost: LostAnswers,
  requests: RequestRecord,
): void {
  const calls = createMinuteCounter()

  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const isTheirs = error.statusCode !== undefined && error.statusCode < 500
    if (!isTheirs) request.log.error({ err: error }, 'a request failed')
    return isTheirs
      ? reply.code(400).send(errorAnswer('INVALID_REQUEST', error.message))
      : reply.code(500).send(errorAnswer('SERVER_ERROR', 'Server Error'))
  })

  app.addHook('preHandler', async (request, reply) => {
    const reference = readReference(standIn, request.body, request.query)
    if (reference !== undefined) requests.setReference(request, reference)
    if (standIn.behaviour.answerMilliseconds > 0) await wait(standIn.behaviour.answerMilliseconds)
    if (applyOutage(standIn.behaviour, lost, reply, outageWords)) return reply
    if (request.headers['x-api-key'] !== standIn.apiKey) return reply.code(401).send(outageWords.unauthorised)
    const { isOver, view } = calls.count(standIn.behaviour.requestsPerMinute)
    return isOver ? reply.code(429).header('retry-after', view.resetSeconds).send(outageWords.throttled) : undefined
  })

  app.post(`/api/v1${purchasePath}`, async (request, reply) =>
    sendPurchaseAnswer(await purchaseBundle(standIn, request.body), standIn, lost, reply),
  )

  app.get<{ Querystring: { transaction_code?: string } }>('/api/v1/order-status', async (request, reply) => {
    await standIn.book.settled()
    const now = Date.now()
    const code = request.query.transaction_code ?? ''
    const order = standIn.book.find(code)
    // DataKazina finds orders only by its own code, not by the buyer's reference.
    if (!order || standIn.codeOf(order) !== code || now - order.createdAt < standIn.behaviour.lookUpBlindMilliseconds) {
      return reply.code(404).send(errorAnswer('TRANSACTION_NOT_FOUND', 'Transaction not found.'))
    }
    return successAnswer('Transaction found.', viewOrder(order, now))
  })

  app.get('/api/v1/check-console-balance', () =>
    successAnswer('Console balance.', { console_balance: (standIn.balancePesewas() / 100).toFixed(4), currency: 'GHS' }),
  )

  app.get('/api/v1/fetch-data-packages', () => successAnswer('Data packages.', listPrices()))
}

function sendPurchaseAnswer(
  answer: PurchaseAnswer,
  standIn: DataKazinaStandIn,
  lost: LostAnswers,
  reply: FastifyReply,
): FastifyReply {
  if (answer.kind === 'taken') return reply.send(successAnswer('Your order has been placed.', answer.order))
  if (answer.kind === 'refused') return reply.code(answer.status).send(errorAnswer(answer.code, answer.message))
  if (answer.kind === 'duplicate') {
    const errors = { incoming_api_ref: [duplicateText] }
    const data = answer.code === undefined ? {} : { data: { transaction_code: answer.code } }
    return reply.code(422).send({ success: false, message: duplicateText, errors, ...data })
  }
  if (answer.kind === 'page') return reply.code(500).type('text/html').send(htmlPage)
  if (answer.kind === 'unreadable') return reply.type('application/json').send('{"success":true,"data":{"transaction_code":')
  lost.lose(reply, standIn.behaviour.lostAnswerMilliseconds)
  return reply
}

/** Finds the buyer's reference of a request. A look-up names only DataKazina's own code, so the order is found by that code. */
function readReference(standIn: DataKazinaStandIn, body: unknown, query: unknown): string | undefined {
  const { incoming_api_ref: reference } = (typeof body === 'object' && body !== null ? body : {}) as {
    incoming_api_ref?: unknown
  }
  if (typeof reference === 'string') return reference
  const { transaction_code: code } = query as { transaction_code?: string }
  return code === undefined ? undefined : standIn.book.find(code)?.ref
}

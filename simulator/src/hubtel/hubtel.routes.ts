import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { RequestRecord } from '../control/record-requests.ts'
import type { LostAnswers } from '../lost-answers.ts'
import { createMinuteCounter } from '../minute-counter.ts'
import { applyOutage, htmlPage, type OutageWords } from '../stand-in/apply-outage.ts'
import { answer, codes, plainAnswer } from './answer.ts'
import type { HubtelStandIn, PlantedDifferences } from './hubtel-stand-in.ts'
import { type PaymentAnswer, payService } from './pay-service.ts'
import { queryService } from './query-service.ts'
import { viewStatus } from './view-transaction.ts'
import { writeStatement } from './write-statement.ts'

const servicePath = '/commissionservices/:account/:service'

const outageWords: OutageWords = {
  purchasePath: servicePath,
  garbage: '{"ResponseCode":"0000","Data":{"Clie',
  throttled: answer('', 'Too many requests.'),
  unauthorised: answer(codes.unauthorised, 'The credentials are not valid.'),
  disabled: answer(codes.notPermitted, 'This account is not permitted to use the service.'),
}

function referenceIn(text: unknown): string | undefined {
  return typeof text === 'string' ? /"ClientReference":"([^"]{1,64})"/.exec(text)?.[1] : undefined
}

function isOurs(standIn: HubtelStandIn, authorization: string | undefined): boolean {
  const { apiId, apiKey } = standIn.account
  return authorization === `Basic ${Buffer.from(`${apiId}:${apiKey}`).toString('base64')}`
}

export function addHubtelRoutes(app: FastifyInstance, standIn: HubtelStandIn, lost: LostAnswers, requests: RequestRecord): void {
  const calls = createMinuteCounter()
  type Query = { clientReference?: string }

  // Keeps every body as text, whatever its content type: `readPayment` refuses text that is not ASCII, and parses the rest.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))

  app.addHook('preHandler', async (request, reply) => {
    const reference = referenceIn(request.body) ?? (request.query as Query).clientReference
    if (reference !== undefined) requests.setReference(request, reference)
    if (request.routeOptions.url?.endsWith('/statement')) return undefined
    if (standIn.behaviour.answerMilliseconds > 0) await wait(standIn.behaviour.answerMilliseconds)
    // A query has the same path as the payment, but outages of purchases must not apply to it.
    const words = request.method === 'POST' ? outageWords : { ...outageWords, purchasePath: 'no such path' }
    if (applyOutage(standIn.behaviour, lost, reply, words)) return reply
    if (!isOurs(standIn, request.headers.authorization)) return reply.code(401).send(outageWords.unauthorised)
    const { isOver, view } = calls.count(standIn.behaviour.requestsPerMinute)
    if (isOver) return reply.code(429).header('retry-after', view.resetSeconds).send(outageWords.throttled)
    const { account } = request.params as { account?: string }
    const wanted = request.routeOptions.url?.includes('/transactions/')
      ? standIn.account.posSalesId
      : standIn.account.prepaidDepositId
    // A wrong account id gets the same answer as an address that is not allowed.
    return account === wanted ? undefined : reply.code(403).type('text/html').send(htmlPage)
  })

  app.get<{ Params: { service: string }; Querystring: { destination?: string; mobile?: string } }>(servicePath, (request) =>
    queryService(standIn, request.params.service, request.query),
  )

  app.post<{ Params: { service: string }; Body: string | undefined }>(servicePath, async (request, reply) =>
    sendPaymentAnswer(await payService(standIn, request.params.service, request.body ?? ''), standIn, lost, reply),
  )

  app.get<{ Querystring: Query }>('/transactions/:account/status', async (request, reply) => {
    await standIn.book.settled()
    const transaction = standIn.book.find(request.query.clientReference ?? '')
    if (!transaction || transaction.status === 'held') {
      return reply.code(404).send(plainAnswer('4040', 'The transaction was not found.'))
    }
    const data = viewStatus(transaction, Date.now(), standIn.behaviour.lookUpBlindMilliseconds)
    return plainAnswer(codes.processed, 'Successful', data)
  })

  app.get('/api/inter-transfers/prepaid/:account', () =>
    plainAnswer(codes.processed, 'Successful', { amount: standIn.balancePesewas() / 100 }),
  )

  app.get('/statement', (_request, reply) => reply.type('text/csv').send(Readable.from(writeStatement(standIn))))
}

const plantedSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    omit: { type: 'array', items: { type: 'string' } },
    change: { type: 'object', additionalProperties: { type: 'number' } },
    invent: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['reference', 'amount', 'commission'],
        properties: { reference: { type: 'string' }, amount: { type: 'number' }, commission: { type: 'number' } },
      },
    },
  },
}

/**
 * Control routes of Hubtel alone: differences in its statement, and delivery of payments that were refused for an empty
 * float.
 */
export function addHubtelControlRoutes(app: FastifyInstance, standIn: HubtelStandIn): void {
  app.post<{ Body: Partial<PlantedDifferences> }>('/control/hubtel/statement', { schema: { body: plantedSchema } }, (request) =>
    Object.assign(standIn.planted, request.body),
  )

  app.post<{ Body: { reference: string } }>(
    '/control/hubtel/deliver',
    { schema: { body: { type: 'object', required: ['reference'], properties: { reference: { type: 'string' } } } } },
    async (request, reply) => {
      const transaction = standIn.book.find(request.body.reference)
      if (transaction?.status !== 'held') return reply.code(404).send({ error: 'no such transaction is held' })
      await standIn.finish(transaction)
      return { status: transaction.status }
    },
  )
}

function sendPaymentAnswer(paid: PaymentAnswer, standIn: HubtelStandIn, lost: LostAnswers, reply: FastifyReply): FastifyReply {
  if (paid.kind === 'answered') return reply.code(paid.status).send(paid.body)
  if (paid.kind === 'page') return reply.code(500).type('text/html').send(htmlPage)
  if (paid.kind === 'unreadable') return reply.type('application/json').send('{"ResponseCode":"0001","Data":{"Clie')
  lost.lose(reply, standIn.behaviour.lostAnswerMilliseconds)
  return reply
}

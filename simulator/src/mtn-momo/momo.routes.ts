import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { RequestRecord } from '../control/record-requests.ts'
import type { LostAnswers } from '../lost-answers.ts'
import { htmlPage } from '../stand-in/apply-outage.ts'
import { defaultMomoBehaviour, type MomoBehaviour, momoChangeSchema } from './momo-behaviour.ts'
import { viewMomoRequest } from './momo-book.ts'
import { type PayerDeps, playPayer, sendMomoCallback } from './play-payer.ts'

export type MomoStandIn = PayerDeps & {
  readonly credentials: { readonly apiUser: string; readonly apiKey: string; readonly subscriptionKey: string }
  /** Valid access tokens, with the time at which each expires. */
  readonly tokens: Map<string, number>
  readonly lost: LostAnswers
  readonly requests: RequestRecord
}

type RequestBody = {
  readonly amount?: unknown
  readonly currency?: unknown
  readonly externalId?: unknown
  readonly payer?: { readonly partyIdType?: unknown; readonly partyId?: unknown }
}

const refusal = (code: string, message: string) => ({ code, message })
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const textIn = (value: unknown) => (typeof value === 'string' ? value : '')

function addTokenRoute(app: FastifyInstance, { credentials, tokens, behaviour }: MomoStandIn): void {
  const basic = `Basic ${Buffer.from(`${credentials.apiUser}:${credentials.apiKey}`).toString('base64')}`
  app.post('/collection/token/', (request, reply) => {
    if (request.headers.authorization !== basic) return reply.code(401).send({ error: 'login_failed' })
    const token = randomBytes(24).toString('base64url')
    tokens.set(token, Date.now() + behaviour.tokenSeconds * 1_000)
    return reply.send({ access_token: token, token_type: 'access_token', expires_in: behaviour.tokenSeconds })
  })
}

function problemOf({ amount, currency, externalId, payer }: RequestBody, referenceId: string): string | undefined {
  if (!uuid.test(referenceId)) return 'X-Reference-Id is no UUID.'
  if (!/^\d+(\.\d{1,2})?$/.test(textIn(amount)) || Number(amount) <= 0) return 'The amount is wrong.'
  if (textIn(currency) !== 'GHS') return 'The currency is wrong.'
  if (textIn(externalId) === '') return 'There is no externalId.'
  return payer?.partyIdType === 'MSISDN' && /^233\d{9}$/.test(textIn(payer.partyId)) ? undefined : 'The payer is wrong.'
}

function addCollectionRoutes(app: FastifyInstance, standIn: MomoStandIn): void {
  const { book, behaviour, tokens, lost, requests } = standIn
  app.addHook('preHandler', async (request, reply) => {
    const [, token = ''] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? []
    if ((tokens.get(token) ?? 0) <= Date.now())
      return reply.code(401).send(refusal('UNAUTHORIZED', 'The access token is not good.'))
    if (request.headers['x-target-environment'] !== 'mtnghana') {
      return reply.code(400).send(refusal('NOT_ALLOWED_TARGET_ENVIRONMENT', 'Access to target environment is forbidden.'))
    }
    return undefined
  })
  app.post<{ Body: RequestBody | null }>('/collection/v1_0/requesttopay', (request, reply) => {
    const referenceId = textIn(request.headers['x-reference-id'])
    const body = request.body ?? {}
    const problem = problemOf(body, referenceId)
    if (problem !== undefined) return reply.code(400).send(refusal('BAD_REQUEST', problem))
    requests.setReference(request, textIn(body.externalId))
    const opened = book.open({
      referenceId,
      externalId: textIn(body.externalId),
      payer: textIn(body.payer?.partyId),
      callbackUrl: textIn(request.headers['x-callback-url']),
      amount: textIn(body.amount),
      currency: textIn(body.currency),
    })
    if (!opened) {
      return reply.code(409).send(refusal('RESOURCE_ALREADY_EXIST', 'Duplicated reference id. Creation of resource failed.'))
    }
    playPayer(standIn, opened)
    return behaviour.outage === 'request_lost' ? lost.cut(reply) : reply.code(202).send()
  })
  app.get<{ Params: { referenceId: string } }>('/collection/v1_0/requesttopay/:referenceId', (request, reply) => {
    const found = book.find(request.params.referenceId)
    if (!found) return reply.code(404).send(refusal('RESOURCE_NOT_FOUND', 'Requested resource was not found.'))
    requests.setReference(request, found.externalId)
    return reply.send(viewMomoRequest(found))
  })
}

/** MTN MoMo Collections under `/mtn-momo`. The last digits of a number script its payer. */
export async function addMomoRoutes(app: FastifyInstance, standIn: MomoStandIn): Promise<void> {
  const { behaviour, credentials, lost } = standIn
  app.addHook('preHandler', async (request, reply) => {
    if (behaviour.outage === 'hang') {
      lost.hang(reply)
      return reply
    }
    if (behaviour.outage === 'error') return reply.code(500).type('text/html').send(htmlPage)
    if (behaviour.outage === 'garbage') return reply.code(200).type('application/json').send('{"status":"SUCC')
    const isKnown = request.headers['ocp-apim-subscription-key'] === credentials.subscriptionKey
    if (behaviour.outage === 'unauthorised' || !isKnown) {
      return reply.code(401).send({ statusCode: 401, message: 'Access denied due to invalid subscription key.' })
    }
    return undefined
  })
  addTokenRoute(app, standIn)
  await app.register(async (scope) => addCollectionRoutes(scope, standIn))
}

export function addMomoControlRoutes(app: FastifyInstance, standIn: MomoStandIn, timeScale: number): void {
  const { behaviour, book, tokens, payers } = standIn
  app.get('/control/mtn-momo', () => behaviour)
  app.post<{ Body: Partial<MomoBehaviour> }>('/control/mtn-momo', { schema: { body: momoChangeSchema } }, (request) =>
    Object.assign(behaviour, request.body),
  )
  app.delete('/control/mtn-momo', () => Object.assign(behaviour, defaultMomoBehaviour(timeScale)))
  app.delete('/control/mtn-momo/tokens', () => {
    tokens.clear()
    return { status: 'no token is good any more' }
  })
  app.post('/control/mtn-momo/decisions', () => {
    payers.decideAll()
    return { status: 'every payer has decided' }
  })
  app.post<{ Body: { reference: string; isForged?: boolean } }>('/control/mtn-momo/callbacks', (request, reply) => {
    const found = book.findByExternalId(request.body.reference)
    if (!found) return reply.code(404).send({ error: 'no such payment' })
    sendMomoCallback(standIn, found, request.body.isForged)
    return reply.code(202).send({ status: 'on its way' })
  })
}

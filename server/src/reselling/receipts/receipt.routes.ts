import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '../../platform/database/database.ts'
import type { RequestCounts } from '../../platform/http/check-caller.ts'
import { addressGroup } from '../../platform/http/limits/create-rate-limiter.ts'
import { missingReceiptPage, receiptHeaders, receiptPage, tooManyPage } from './receipt-page.ts'
import { findPublicReceipt, receiptPath } from './sale-receipts.ts'
import { readLogo } from './shop.ts'

/**
 * Requests per minute from one address. The limit is high, because many customers share the address of their mobile network,
 * and a guessed link works with a chance of only one in 2^128.
 */
const requestsPerMinute = 120

type ReceiptDeps = { readonly db: Db } & Pick<RequestCounts, 'rateLimiter'>
type TokenRequest = FastifyRequest<{ Params: { token: string } }>

/** Serves receipts to anybody who has the link: one page and the shop's logo, without a session and without a script. */
export function registerReceiptRoutes(app: FastifyInstance, { db, rateLimiter }: ReceiptDeps): void {
  const send = (reply: FastifyReply, page: string) => reply.headers(receiptHeaders).type('text/html; charset=utf-8').send(page)
  app.addHook('onRequest', async (request, reply) => {
    const { requests, resetSeconds } = await rateLimiter.count('receipts', addressGroup(request.ip))
    if (requests <= requestsPerMinute) return undefined
    return send(reply.code(429).header('retry-after', resetSeconds), tooManyPage())
  })
  const params = { type: 'object', properties: { token: { type: 'string', maxLength: 64 } } } as const
  const schema = { hide: true, params }
  app.get('/r/:token', { schema }, async (request: TokenRequest, reply) => {
    const receipt = await findPublicReceipt(db, request.params.token)
    if (!receipt) return send(reply.code(404), missingReceiptPage())
    return send(reply, receiptPage(receipt, receiptPath(request.params.token)))
  })
  app.get('/r/:token/logo', { schema }, async (request: TokenRequest, reply) => {
    const receipt = await findPublicReceipt(db, request.params.token)
    if (!receipt?.hasLogo) return send(reply.code(404), missingReceiptPage())
    const { bytes, mediaType } = await readLogo(db, receipt.accountId)
    return reply
      .headers({ ...receiptHeaders, 'content-security-policy': "default-src 'none'; sandbox" })
      .type(mediaType)
      .send(bytes)
  })
}

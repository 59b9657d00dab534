import type { FastifyInstance, RouteOptions } from 'fastify'
import { answerRefusal } from './answer-error.ts'
import { type Refusal, refusals } from './refusals.ts'

/** A route that only refuses. It answers before the body is read. */
function tombstone(refusal: Refusal): Pick<RouteOptions, 'onRequest' | 'handler'> {
  return {
    onRequest: (_request, reply) => {
      answerRefusal(reply, refusal)
    },
    handler: (_request, reply) => answerRefusal(reply, refusal),
  }
}

/**
 * Routes that were removed for good answer 410 and not 404: version 1 as a whole (decision A7), and top-up through the API
 * (decision A6), with or without a key and whatever the body.
 */
export function registerRetiredRoutes(app: FastifyInstance): void {
  const method = app.supportedMethods
  for (const url of ['/api/v1', '/api/v1/*']) {
    app.route({ method, url, schema: { hide: true }, ...tombstone(refusals.versionRetired) })
  }
  app.route({
    method: 'POST',
    url: '/api/v2/wallet/topup',
    schema: {
      tags: ['Wallet'],
      operationId: 'topUpWallet',
      summary: 'Top up the wallet (removed)',
      description: 'Always answers 410, with or without a key. Wallets are topped up in the web dashboard.',
      security: [],
    },
    config: { refusals: [410] },
    ...tombstone(refusals.topUpRemoved),
  })
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { PaymentCallback } from '../money/top-ups/payment-gateway.ts'
import type { Db } from '../platform/database/database.ts'
import type { SecretsKeys } from '../platform/secrets/secrets-keys.ts'
import { gatewayAdapters } from './gateway-adapters.ts'
import { isGatewayCallbackAddress } from './gateway-callback-address.ts'
import type { OpenGateways } from './open-gateways.ts'

type CallbackDeps = {
  readonly db: Db
  readonly gateways: OpenGateways
  /** The key from which the secret addresses of single payments are made. */
  readonly secretsKeys: SecretsKeys
  readonly log: Pick<Logger, 'warn' | 'error'>
}

/** Makes the top-up with this reference due, so that a worker asks the gateway even if this process ends now. */
async function makeDue(db: Db, gateway: string, reference: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    update top_ups set next_ask_at = clock_timestamp() where way = ${gateway} and reference = ${reference}
    returning id`.execute(db)
  return rows[0]?.id
}

/** Refuses a forged callback. For any other, asks about its top-up, if there is one. Then answers the gateway. */
async function receive(
  { db, gateways, log }: CallbackDeps,
  gateway: string,
  callback: PaymentCallback,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (callback.meaning === 'forged') {
    log.warn({ gateway, requestId: request.id }, 'a forged callback was refused')
    return reply.code(401).send({ received: false })
  }
  const topUpId = callback.meaning === 'about' ? await makeDue(db, gateway, callback.reference) : undefined
  if (topUpId === undefined) {
    // A callback about another payment than ours, or about none, is answered 200: with another answer the gateway would
    // only send it again.
    log.warn({ gateway, requestId: request.id }, 'a genuine callback is about no top-up of ours')
    return reply.send({ received: true })
  }
  // The top-up is due already, so a worker asks again if this question fails.
  await gateways.verifyNow(topUpId).catch((error: unknown) => {
    log.error({ gateway, topUpId, reason: String(error) }, 'a top-up could not be verified now')
  })
  return reply.send({ received: true })
}

type Address = { readonly reference: string; readonly token: string }

/**
 * Registers the addresses of each gateway's callbacks: `POST /callbacks/<gateway>` where the gateway signs them, and `POST`
 * or `PUT /callbacks/<gateway>/<our reference>/<HMAC>` where it does not. A forged callback is answered 401 and has no
 * effect. A genuine one only shows which payment to ask about: the gateway is asked, and its answer counts. The callback is
 * answered 200 however often it comes. 404: the gateway is not set up, or its callbacks have the other form.
 */
export function registerGatewayCallbacks(app: FastifyInstance, deps: CallbackDeps): void {
  for (const { name } of gatewayAdapters) {
    app.post(`/${name}`, async (request, reply) => {
      const gateway = await deps.gateways.find(name)
      if (!gateway?.readCallback) return reply.code(404).send({ received: false })
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      return receive(deps, name, gateway.readCallback(request.headers, body), request, reply)
    })
    app.route<{ Params: Address }>({
      method: ['POST', 'PUT'],
      url: `/${name}/:reference/:token`,
      handler: async (request, reply) => {
        const { reference, token } = request.params
        const gateway = await deps.gateways.find(name)
        if (!gateway || gateway.readCallback) return reply.code(404).send({ received: false })
        const isOurs = isGatewayCallbackAddress(deps.secretsKeys, name, reference, token)
        return receive(deps, name, isOurs ? { meaning: 'about', reference } : { meaning: 'forged' }, request, reply)
      },
    })
  }
}

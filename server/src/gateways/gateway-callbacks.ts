import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Db } from '../platform/database/database.ts'
import { gatewayAdapters } from './gateway-adapters.ts'
import type { OpenGateways } from './open-gateways.ts'

type CallbackDeps = { readonly db: Db; readonly gateways: OpenGateways; readonly log: Pick<Logger, 'warn' | 'error'> }

/** Makes the top-up with this reference due, so that a worker asks even when this process ends now. */
async function makeDue(db: Db, gateway: string, reference: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    update top_ups set next_ask_at = clock_timestamp() where way = ${gateway} and reference = ${reference}
    returning id`.execute(db)
  return rows[0]?.id
}

/**
 * Registers the address of each gateway's callback, `POST /callbacks/<gateway>`. What is not signed is answered 401 and
 * has no effect. What is signed only says which payment to ask about: the gateway is asked, and its answer counts. It is
 * answered 200 however often it comes.
 */
export function registerGatewayCallbacks(app: FastifyInstance, { db, gateways, log }: CallbackDeps): void {
  for (const { name } of gatewayAdapters) {
    app.post(`/${name}`, async (request, reply) => {
      const gateway = await gateways.find(name)
      if (!gateway) return reply.code(404).send({ received: false })
      const callback = gateway.readCallback(request.headers, Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0))
      if (callback.meaning === 'forged') {
        log.warn({ gateway: name, requestId: request.id }, 'a forged callback was refused')
        return reply.code(401).send({ received: false })
      }
      const topUpId = callback.meaning === 'about' ? await makeDue(db, name, callback.reference) : undefined
      if (topUpId === undefined) {
        // One about a payment of somebody else's, or about none: the gateway would only send the same again.
        log.warn({ gateway: name, requestId: request.id }, 'a genuine callback is about no top-up of ours')
        return reply.send({ received: true })
      }
      // It is due, whatever becomes of this question.
      await gateways.verifyNow(topUpId).catch((error: unknown) => {
        log.error({ gateway: name, topUpId, reason: String(error) }, 'a top-up could not be verified now')
      })
      return reply.send({ received: true })
    })
  }
}

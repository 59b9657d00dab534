import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Db } from '../../platform/database/database.ts'
import type { HistoryWatch } from '../../platform/history/history-watch.ts'
import type { SecretsKeys } from '../../platform/secrets/secrets-keys.ts'
import { isCallbackAddress } from '../../suppliers/callback-address.ts'
import type { CallbackReading, Supplier, SupplierRegistry } from '../../suppliers/ports.ts'
import { outgoingReference } from '../outgoing-reference.ts'
import { openCallbackQueue } from './callback-queue.ts'

/** We assume that no order has more attempts than this at one supplier. */
const attemptsMax = 30
/**
 * The most orders that are read. A reference begins with the time of its order, and fewer orders than this have the same
 * millisecond.
 */
const ordersMax = 500
/** The attempts of old months are put away, but their orders stay. So only a young order without its attempt proves a loss. */
const youngDays = 7

/**
 * True when we made this reference for a young order of ours. Called when no attempt has the reference: an attempt is committed
 * before it is sent, so the database has then lost it. Nobody can make such a reference without the order's id.
 */
async function isOfLostAttempt(db: Db, supplier: string, reference: string): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    select id from orders where id between order_bound_of(${reference}, '0') and order_bound_of(${reference}, 'f')
      and created_at > now() - make_interval(days => ${youngDays})
    limit ${ordersMax}`.execute(db)
  return rows.some(({ id }) =>
    Array.from({ length: attemptsMax }, (_, no) => outgoingReference(id, supplier, no + 1)).includes(reference),
  )
}

export type CallbackDeps = {
  readonly db: Db
  readonly registry: Pick<SupplierRegistry, 'find'>
  /** The HMACs in the callback addresses of single attempts are made with these keys. */
  readonly secretsKeys: SecretsKeys
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>
  /** Stops sales and sends when a callback is about an attempt of ours that the database has lost. */
  readonly history?: Pick<HistoryWatch, 'stopSales'> | undefined
}

/** A callback may come shortly before our own commit. If its reference is still unknown after this time, the answer is 404. */
const gracePeriodMilliseconds = 10 * 60_000
const rememberedReferencesMax = 10_000

/** Remembers when an unknown reference first came, so that the supplier is not asked for ever to send it again. */
function createGracePeriod(): (reference: string) => boolean {
  const firstSeenAt = new Map<string, number>()
  return (reference) => {
    const seenAt = firstSeenAt.get(reference)
    if (seenAt !== undefined) return performance.now() - seenAt < gracePeriodMilliseconds
    if (firstSeenAt.size >= rememberedReferencesMax) firstSeenAt.clear()
    firstSeenAt.set(reference, performance.now())
    return true
  }
}

const retryAfterSeconds = 2

function askForAnother(reply: FastifyReply): FastifyReply {
  return reply.code(503).header('retry-after', String(retryAfterSeconds)).send({ received: false })
}

type Receive = (
  reading: CallbackReading,
  supplier: Supplier,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<FastifyReply>

/** Stores the answer that was read from a callback, and answers the supplier. */
function createReceiver(deps: CallbackDeps): Receive {
  const isInGracePeriod = createGracePeriod()
  const queue = openCallbackQueue(deps.db)
  return async (reading, supplier, request, reply) => {
    if (reading.meaning === 'forged') {
      deps.log.warn({ supplier: supplier.name, requestId: request.id }, 'a forged callback was refused')
      return reply.code(401).send({ received: false })
    }
    if (reading.meaning === 'unreadable') {
      // The supplier would only send the same unreadable callback again, so it is answered 200.
      deps.log.warn({ supplier: supplier.name, evidence: reading.evidence }, 'a genuine callback could not be read')
      return reply.send({ received: true })
    }
    const { outgoingReference, answer } = reading
    try {
      const outcome = await queue.note({ supplier: supplier.name, outgoingReference, answer })
      if (outcome === 'noted') return await reply.send({ received: true })
      if (await isOfLostAttempt(deps.db, supplier.name, outgoingReference))
        deps.history?.stopSales(
          `${supplier.name} knows the reference ${outgoingReference}, which we made and of which no row is left`,
        )
    } catch (error) {
      deps.log.error({ supplier: supplier.name, outgoingReference, reason: String(error) }, 'a callback could not be stored')
      return askForAnother(reply)
    }
    if (isInGracePeriod(`${supplier.name} ${outgoingReference}`)) return askForAnother(reply)
    return reply.code(404).send({ received: false })
  }
}

type Address = { readonly supplier: string; readonly reference: string; readonly token: string }

function bodyOf(request: FastifyRequest): Buffer {
  return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
}

/**
 * Registers the addresses for suppliers' callbacks: `POST /callbacks/<supplier>` where the supplier signs its callbacks, else
 * `POST /callbacks/<supplier>/<our reference>/<HMAC>`, where the HMAC is a secret that only the supplier was given. The body is
 * read as raw bytes.
 *
 * A forged callback is answered 401 and has no effect. A genuine one about an attempt of ours is kept as evidence, makes its
 * order due, and is answered 200 however often it comes. A genuine one that we cannot read is answered 200 and not kept. A
 * callback about an unknown reference is answered 503, so that it comes again, and after ten minutes 404. A callback that the
 * database cannot keep now is answered 503, too.
 */
export function registerCallbacks(app: FastifyInstance, deps: CallbackDeps): void {
  const receive = createReceiver(deps)
  app.post<{ Params: { supplier: string } }>('/:supplier', async (request, reply) => {
    const supplier = deps.registry.find(request.params.supplier)
    if (!supplier?.readCallback) return reply.code(404).send({ received: false })
    return receive(supplier.readCallback(request.headers, bodyOf(request)), supplier, request, reply)
  })
  app.post<{ Params: Address }>('/:supplier/:reference/:token', async (request, reply) => {
    const { supplier: name, reference, token } = request.params
    const supplier = deps.registry.find(name)
    if (!supplier?.readAddressedCallback) return reply.code(404).send({ received: false })
    const isOurs = isCallbackAddress(deps.secretsKeys, name, reference, token)
    const reading = isOurs ? supplier.readAddressedCallback(reference, bodyOf(request)) : ({ meaning: 'forged' } as const)
    return receive(reading, supplier, request, reply)
  })
}

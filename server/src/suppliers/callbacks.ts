import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Logger } from 'pino'
import type { Db } from '../platform/database/database.ts'
import { noteCallback } from './note-callback.ts'
import type { SupplierRegistry } from './ports.ts'

export type CallbackDeps = {
  readonly db: Db
  readonly registry: Pick<SupplierRegistry, 'find'>
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>
}

/** A callback may overtake our own commit by moments. For longer than this its reference is simply not ours. */
const unknownReferencePatienceMilliseconds = 10 * 60_000
const rememberedReferencesMax = 10_000

/** Remembers when an unknown reference was first heard of, so that it is not asked for again for ever. */
function createPatience(): (reference: string) => boolean {
  const firstHeardAt = new Map<string, number>()
  return (reference) => {
    const heardAt = firstHeardAt.get(reference)
    if (heardAt !== undefined) return performance.now() - heardAt < unknownReferencePatienceMilliseconds
    if (firstHeardAt.size >= rememberedReferencesMax) firstHeardAt.clear()
    firstHeardAt.set(reference, performance.now())
    return true
  }
}

const retryAfterSeconds = 2

function askForAnother(reply: FastifyReply): FastifyReply {
  return reply.code(503).header('retry-after', String(retryAfterSeconds)).send({ received: false })
}

/**
 * `POST /callbacks/<supplier>`: what suppliers tell us of their own accord. The scope hands over the body as
 * the bytes that came. A forged callback is answered 401 and has no effect; a genuine one is kept as evidence and makes
 * the order's status be read, and is answered 200 however often it comes; one about a reference that is not
 * there yet is answered 503 so that it comes again, for ten minutes, then 404.
 */
export function registerCallbacks(app: FastifyInstance, deps: CallbackDeps): void {
  const isPatient = createPatience()
  app.post<{ Params: { supplier: string } }>('/:supplier', async (request, reply) => {
    const supplier = deps.registry.find(request.params.supplier)
    if (!supplier?.readCallback) return reply.code(404).send({ received: false })
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
    const reading = supplier.readCallback(request.headers, body)
    if (reading.meaning === 'forged') {
      deps.log.warn({ supplier: supplier.name, requestId: request.id }, 'a callback without a valid signature was refused')
      return reply.code(401).send({ received: false })
    }
    if (reading.meaning === 'unreadable') {
      // Sending it again would not make it readable.
      deps.log.warn({ supplier: supplier.name, evidence: reading.evidence }, 'a signed callback could not be read')
      return reply.send({ received: true })
    }
    const { outgoingReference, answer } = reading
    try {
      const outcome = await noteCallback(deps.db, supplier.name, outgoingReference, answer)
      if (outcome === 'noted') return await reply.send({ received: true })
    } catch (error) {
      deps.log.error({ supplier: supplier.name, outgoingReference, reason: String(error) }, 'a callback could not be stored')
      return askForAnother(reply)
    }
    if (isPatient(`${supplier.name} ${outgoingReference}`)) return askForAnother(reply)
    return reply.code(404).send({ received: false })
  })
}

import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Only this many of the latest requests are kept; the counts go on. */
const requestsKeptMax = 10_000

/** A request to a supplier, as it was received. */
export type ReceivedRequest = {
  readonly at: string
  readonly method: string
  readonly path: string
  /** The buyer's reference, where the request has one. */
  reference: string | null
  /** null: no answer was sent, or not yet. */
  status: number | null
}

export type RequestRecord = {
  /** Newest last. */
  find(filter: { reference?: string | undefined; path?: string | undefined }): ReceivedRequest[]
  /** `POST /path` → number received, since the process began. */
  counts(): Record<string, number>
  /** Remembers which order a request was about. */
  setReference(request: FastifyRequest, reference: string): void
}

declare module 'fastify' {
  interface FastifyRequest {
    received: ReceivedRequest | null
    startedAt: number
  }
}

/**
 * Keeps a record of the requests that suppliers received, and logs one line for each request, whoever it was for. Requests whose
 * answer is cut off are recorded too, although Fastify never calls its response hook for them.
 */
export function recordRequests(app: FastifyInstance, supplierPaths: readonly string[]): RequestRecord {
  const kept: ReceivedRequest[] = []
  const counts = new Map<string, number>()
  let oldest = 0
  app.decorateRequest('received', null)
  app.decorateRequest('startedAt', 0)

  function keep(received: ReceivedRequest): void {
    if (kept.length < requestsKeptMax) {
      kept.push(received)
      return
    }
    kept[oldest] = received
    oldest = (oldest + 1) % requestsKeptMax
  }

  app.addHook('onRequest', (request, reply, done) => {
    request.startedAt = performance.now()
    const path = request.url.split('?', 1)[0] ?? request.url
    const isToSupplier = supplierPaths.some((prefix) => path.startsWith(prefix))
    if (isToSupplier) {
      request.received = { at: new Date().toISOString(), method: request.method, path, reference: null, status: null }
      keep(request.received)
      const name = `${request.method} ${request.routeOptions.url ?? 'unknown path'}`
      counts.set(name, (counts.get(name) ?? 0) + 1)
    }
    reply.raw.once('close', () => {
      const status = reply.raw.writableFinished ? reply.raw.statusCode : null
      if (request.received) request.received.status = status
      const ms = Math.round((performance.now() - request.startedAt) * 10) / 10
      const reference = request.received?.reference ?? undefined
      app.log.info({ method: request.method, path, status, ms, reference }, status === null ? 'cut off' : 'answered')
    })
    done()
  })

  return {
    find: ({ reference, path }) =>
      [...kept.slice(oldest), ...kept.slice(0, oldest)].filter(
        (received) =>
          (reference === undefined || received.reference === reference) && (path === undefined || received.path.startsWith(path)),
      ),
    counts: () => Object.fromEntries(counts),
    setReference: (request, reference) => {
      if (request.received) request.received.reference = reference
    },
  }
}

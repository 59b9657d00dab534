import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Keeps only this many of the latest requests. The counts include all. */
const requestsKeptMax = 10_000

export type ReceivedRequest = {
  readonly at: string
  readonly method: string
  readonly path: string
  reference: string | null
  /** Null while no answer was sent. */
  status: number | null
}

export type RequestRecord = {
  /** Newest last. */
  find(filter: { reference?: string | undefined; path?: string | undefined }): ReceivedRequest[]
  /** `POST /path` → number of requests since the process began. */
  counts(): Record<string, number>
  setReference(request: FastifyRequest, reference: string): void
}

declare module 'fastify' {
  interface FastifyRequest {
    received: ReceivedRequest | null
    startedAt: number
  }
}

/**
 * Records the requests to suppliers, and logs one line for every request. Includes requests whose connection is cut, for
 * which Fastify never calls its response hook.
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

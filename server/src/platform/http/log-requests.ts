import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'

/**
 * Writes one line per request: method, route, status, milliseconds, account. The route's pattern stands
 * for the path, so that references stay out of the log; bodies and keys never reach it. Health checks are left out.
 */
export function logRequests(app: FastifyInstance, log: Logger, level: 'info' | 'debug' = 'info'): void {
  // These fields hold no secrets, and searching each line for secrets would cost a tenth of a request's time.
  const lines = log.child({}, { redact: [] })
  app.addHook('onResponse', (request, reply, done) => {
    if (request.routeOptions.config.isUnlogged) return done()
    lines[level](
      {
        requestId: request.id,
        method: request.method,
        route: request.routeOptions.url ?? null,
        status: reply.statusCode,
        milliseconds: Math.round(reply.elapsedTime * 10) / 10,
        accountId: request.caller?.accountId,
      },
      'request',
    )
    done()
  })
}

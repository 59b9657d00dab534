import type { FastifyInstance } from 'fastify'

/**
 * Writes one line per request: method, route, status, milliseconds, account. The route's pattern stands
 * for the path, so that references stay out of the log; bodies and keys never reach it.
 */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    request.log.info(
      {
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

import type { FastifyInstance } from 'fastify'
import { eventStreamType } from '../http/envelope.ts'
import type { Metrics } from './open-metrics.ts'

/**
 * The smallest bucket is about the duration of a cached read; the largest is the longest time that a purchase may keep
 * its caller waiting.
 */
const secondsBuckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/**
 * Counts and times requests by method, route and status. The route's pattern is used in place of the path, so that
 * there are as many series as endpoints and not as references. Each series' handle is kept, because finding it by its
 * labels each time costs more than the rest.
 */
export function measureRequests(app: FastifyInstance, metrics: Metrics): void {
  const seconds = metrics.histogram(
    'makola_http_request_duration_seconds',
    'Requests by method, route and status, and how long they took.',
    ['method', 'route', 'status'],
    secondsBuckets,
  )
  const series = new Map<string, ReturnType<typeof seconds.labels>>()
  app.addHook('onResponse', (request, reply, done) => {
    // A stream is not timed: it lasts until the client disconnects.
    if (reply.getHeader('content-type') === eventStreamType) return done()
    const { url } = request.routeOptions
    const name = `${request.method} ${url} ${reply.statusCode}`
    let known = series.get(name)
    if (!known) {
      // Unknown methods and paths come from outside and could be endless, so all of them share one series.
      const method = url === undefined ? 'other' : request.method
      known = seconds.labels({ method, route: url ?? 'unknown', status: String(reply.statusCode) })
      series.set(name, known)
    }
    known.observe(reply.elapsedTime / 1_000)
    done()
  })
}

import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** The form of a request id that a caller may choose: short, and with no character that could break a log line or a header. */
const saneRequestId = /^[A-Za-z0-9._-]{8,64}$/

/** A random name for this run of the process. With a counter it makes unique ids without a random number per request. */
const processRun = randomBytes(9).toString('hex')
let requests = 0

/** The request's id in the log and in `X-Request-Id`: the caller's own if it is safe, else a new one. */
export function identifyRequest(request: Pick<IncomingMessage, 'headers'>): string {
  const asked = request.headers['x-request-id']
  if (typeof asked === 'string' && saneRequestId.test(asked)) return asked
  requests += 1
  return `${processRun}-${requests.toString(36)}`
}

/**
 * Counts how often a header was sent. Of several with some names, such as Authorization, Node keeps only the first; the raw
 * list (name, value, name, value …) has all of them.
 */
export function countHeader(rawHeaders: readonly string[], name: string): number {
  let count = 0
  for (let place = 0; place < rawHeaders.length; place += 2) {
    const sent = rawHeaders[place] ?? ''
    if (sent.length === name.length && sent.toLowerCase() === name) count += 1
  }
  return count
}

/**
 * Removes the zone from the address of a caller on the same link (`fe80::1%eth0`, RFC 4007, section 11). It names a network
 * interface of this machine, and PostgreSQL's `inet` refuses it.
 */
export function dropZones(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const zone = /%.*$/.exec(request.ip)
    if (zone) Object.defineProperty(request, 'ip', { value: request.ip.slice(0, zone.index) })
    done()
  })
}

import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { answerRefusal } from './answer-error.ts'
import type { Transport } from './listener/create-listener.ts'
import { refusals } from './refusals.ts'
import { countHeader } from './request-headers.ts'

/** Health checks may come over plain HTTP: they come from inside the network, often without the proxy. */
const plainPaths = new Set(['/healthz', '/readyz'])

/** Headers for an API: a browser must not store, frame or run the answer, or guess its type. */
function securityHeaders(transport: Transport): Record<string, string> {
  const headers: Record<string, string> = {
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  }
  // Not sent with the local certificate: a browser would then refuse plain HTTP to every other server on localhost.
  const isPublic = transport.kind === 'proxy' || transport.isPublic
  if (isPublic) headers['strict-transport-security'] = 'max-age=31536000'
  return headers
}

/**
 * True when the request has exactly one Host (RFC 9112, section 3.2). With two, a proxy and we could choose different ones.
 * HTTP/1.0 may have none.
 */
function hasOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  const hosts = countHeader(rawHeaders, 'host')
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0')
}

/**
 * Writes the headers of every answer on each reply, errors included. Then refuses plain HTTP behind a proxy (decision A9:
 * HTTPS only), requests without exactly one Host and unknown routes, before any other check.
 */
export function prepareAnswers(
  app: FastifyInstance,
  options: {
    transport: Transport
    mode: 'simulated' | 'live'
    isPlainAllowed: boolean
    isDraining: () => boolean
    /** Answers a request for an unknown path. */
    answerUnknown: (request: FastifyRequest, reply: FastifyReply) => void
  },
): void {
  const headers = securityHeaders(options.transport)
  if (options.mode === 'simulated') headers['x-makola-mode'] = 'simulated'
  const always = Object.entries(headers)
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    for (const [name, value] of always) reply.header(name, value)
    if (options.isDraining()) reply.header('connection', 'close')
    if (!options.isPlainAllowed && request.protocol !== 'https' && !plainPaths.has(request.url)) {
      answerRefusal(reply, refusals.httpsOnly)
    } else if (!hasOneHost(request.raw)) {
      answerRefusal(reply, refusals.invalidRequest('A request names exactly one Host.'))
    } else if (request.is404) {
      // Answered before the body is read, which an unknown path does not need.
      options.answerUnknown(request, reply)
    } else {
      done()
    }
  })
}

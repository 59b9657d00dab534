import { constants } from 'node:crypto'
import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { Duplex } from 'node:stream'
import type { SecureContextOptions } from 'node:tls'
import { compile } from '@fastify/proxy-addr'
import { answerUnparsedRequest, type UnparsedLog } from './answer-unparsed-request.ts'
import type { HttpLimits } from './http-limits.ts'
import { limitIdleConnections } from './limit-idle-connections.ts'

/** TLS with our certificate, or plain text from a proxy that handles TLS. */
export type Transport =
  | { readonly kind: 'tls'; readonly certificate: Buffer | string; readonly key: Buffer | string; readonly isPublic: boolean }
  | { readonly kind: 'proxy'; readonly trustedProxies: readonly string[] }

/**
 * The rules for TLS connections: the "intermediate" profile of Mozilla's Server Side TLS without its DHE suites. Every
 * suite has authenticated encryption and forward secrecy, and renegotiation is off (RFC 9325).
 */
export const tlsRules: SecureContextOptions = {
  minVersion: 'TLSv1.2',
  ciphers: [
    'TLS_AES_128_GCM_SHA256',
    'TLS_AES_256_GCM_SHA384',
    'TLS_CHACHA20_POLY1305_SHA256',
    'ECDHE-ECDSA-AES128-GCM-SHA256',
    'ECDHE-RSA-AES128-GCM-SHA256',
    'ECDHE-ECDSA-AES256-GCM-SHA384',
    'ECDHE-RSA-AES256-GCM-SHA384',
    'ECDHE-ECDSA-CHACHA20-POLY1305',
    'ECDHE-RSA-CHACHA20-POLY1305',
  ].join(':'),
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
}

function serverOptions(limits: HttpLimits): ServerOptions {
  return {
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersMilliseconds,
    requestTimeout: limits.requestMilliseconds,
    keepAliveTimeout: limits.keepAliveMilliseconds,
    connectionsCheckingInterval: limits.timeoutCheckMilliseconds,
    // Otherwise Node itself would answer a request without Host, without the envelope. `prepareAnswers` refuses it
    // instead.
    requireHostHeader: false,
  }
}

/**
 * Makes the HTTP/1.1 server of the app, with all limits against slow and huge requests. Requests that cannot be parsed are
 * answered in the error envelope too, while the connection still accepts an answer.
 */
export function createListener(transport: Transport, limits: HttpLimits, log: UnparsedLog, onRequest: RequestListener): Server {
  const options = serverOptions(limits)
  const server =
    transport.kind === 'proxy'
      ? createServer(options, onRequest)
      : createSecureServer(
          {
            ...options,
            cert: transport.certificate,
            key: transport.key,
            ...tlsRules,
            handshakeTimeout: limits.handshakeMilliseconds,
          },
          onRequest,
        )
  server.maxConnections = limits.connections
  const isProxy = transport.kind === 'proxy' ? compile([...transport.trustedProxies]) : undefined
  limitIdleConnections(server, limits.idleConnectionsPerAddress, (address) => isProxy?.(address, 0) ?? false)
  server.setTimeout(limits.idleSocketMilliseconds)
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => answerUnparsedRequest(log, error, socket))
  // An unknown `Expect` header is ignored. Otherwise Node itself would answer 417.
  server.on('checkExpectation', onRequest)
  server.on('connect', (_request, socket: Duplex) => answerUnparsedRequest(log, { code: 'CONNECT' }, socket))
  return server
}

import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Logger } from 'pino'
import { errorBody, jsonContentType } from '../envelope.ts'
import { type Refusal, refusals } from '../refusals.ts'
import { identifyRequest } from '../request-headers.ts'

const refusalsByCode: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: refusals.invalidRequest('The path or the headers are too long.'),
  ERR_HTTP_REQUEST_TIMEOUT: refusals.invalidRequest('The request took too long to arrive.'),
  CONNECT: refusals.routeNotFound,
}

export type UnparsedLog = Pick<Logger, 'info'>

/** Node stores the response that is being written to a connection in this field. */
type HttpSocket = Duplex & { _httpMessage?: ServerResponse | null }

function refusalFor(code: string): Refusal | undefined {
  const known = refusalsByCode[code]
  if (known) return known
  return code.startsWith('HPE_') ? refusals.invalidRequest('This is not a readable HTTP request.') : undefined
}

function rawAnswer(refusal: Refusal, requestId: string): string {
  const body = errorBody(refusal)
  return [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status] ?? ''}`,
    `Content-Type: ${jsonContentType}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    `X-Error-Reason: ${refusal.reason}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n')
}

/**
 * If a connection is reset while the client still sends, the answer may be lost (RFC 9112, section 9.6). So for this long
 * we go on reading and ignore the bytes.
 */
const lingerMilliseconds = 500

/**
 * Answers a request that could not be parsed (malformed, too long, too slow) in the error envelope, with an id that is also
 * in the log, and closes the connection. When the TLS handshake failed (also because of plain HTTP on the TLS port), or
 * when an answer has begun already, the connection is only closed.
 */
export function answerUnparsedRequest(log: UnparsedLog, error: { code?: string | undefined }, socket: HttpSocket): void {
  // The answer has been sent; later bytes are ignored.
  if (socket.writableEnded && !socket.destroyed) return
  const refusal = refusalFor(error.code ?? '')
  if (!refusal || !socket.writable || socket._httpMessage?.headersSent) {
    socket.destroy()
    return
  }
  const requestId = identifyRequest({ headers: {} })
  log.info({ requestId, status: refusal.status, problem: error.code }, 'not a request')
  socket.end(rawAnswer(refusal, requestId))
  setTimeout(() => socket.destroy(), lingerMilliseconds).unref()
}

import type { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import type { SupplierLine } from './supplier-line.ts'

/** One HTTP request to a supplier. */
export type SupplierRequest = {
  readonly method: 'GET' | 'POST'
  /** Below the line's base path, already percent-encoded. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** For what moves money: asked immediately before the first byte is written. */
  readonly mayStillSend?: () => boolean
}

/**
 * What became of a request.
 *
 * - `answered`: a whole HTTP answer, whatever it says
 * - `not_sent`: held back by `mayStillSend` or by the caller's signal, before its first byte
 * - `unreachable`: no connection within the time, so no byte of it ever left
 * - `lost`: bytes left and no whole answer came back: time-out, reset, too large, garbage
 */
export type SupplierReply =
  | {
      readonly kind: 'answered'
      readonly status: number
      readonly contentType: string
      readonly body: string
      readonly retryAfterSeconds: number | undefined
    }
  | { readonly kind: 'not_sent'; readonly evidence: string }
  | { readonly kind: 'unreachable'; readonly evidence: string }
  | { readonly kind: 'lost'; readonly evidence: string }

/** A supplier's answer is a few hundred bytes; what is larger than this is not read to its end. */
const responseBytesMax = 256 * 1024

class SendRefused extends Error {}

/** How far a request has come, as the proof of what cannot have happened. */
type Progress = { hasLeft: boolean }

/**
 * The request's body as its connection is ready for it: the guard is asked here, in the same turn of the
 * event loop in which the head and the body are handed to the socket. Until the first part is yielded, the HTTP client
 * has not written the head either, so a refusal leaves the supplier with an open connection and nothing in it.
 */
async function* writeBody(body: Buffer, progress: Progress, mayStillSend: () => boolean): AsyncGenerator<Buffer> {
  if (!mayStillSend()) throw new SendRefused('the time to send had passed before the request was written')
  progress.hasLeft = true
  yield body
}

function readRetryAfter(header: string | string[] | undefined): number | undefined {
  const text = Array.isArray(header) ? header[0] : header
  if (text === undefined) return undefined
  if (/^\d{1,6}$/.test(text.trim())) return Number(text)
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - Date.now()) / 1_000))
}

async function readBody(body: Dispatcher.ResponseData['body']): Promise<string | undefined> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of body as AsyncIterable<Buffer>) {
    size += part.length
    if (size > responseBytesMax) return undefined
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

async function exchange(
  line: SupplierLine,
  request: SupplierRequest,
  progress: Progress,
  signal: AbortSignal,
): Promise<SupplierReply> {
  const body = request.body === undefined ? undefined : Buffer.from(request.body, 'utf8')
  if (body === undefined) progress.hasLeft = true
  const response = await line.pool.request({
    method: request.method,
    path: `${line.basePath}${request.path}`,
    headers: {
      accept: 'application/json',
      'accept-encoding': 'identity',
      ...request.headers,
      ...(body === undefined ? {} : { 'content-length': String(body.length) }),
    },
    // The client takes any async iterable, which its types do not say.
    body: body === undefined ? null : (writeBody(body, progress, request.mayStillSend ?? (() => true)) as unknown as Readable),
    // The client would otherwise be free to put a GET on a new connection when the first one breaks.
    idempotent: false,
    signal,
  })
  const text = await readBody(response.body)
  if (text === undefined)
    return { kind: 'lost', evidence: `HTTP ${response.statusCode} with more than ${responseBytesMax} bytes` }
  const contentType = response.headers['content-type']
  const retryAfterSeconds = readRetryAfter(response.headers['retry-after'])
  return {
    kind: 'answered',
    status: response.statusCode,
    contentType: (Array.isArray(contentType) ? contentType[0] : contentType) ?? '',
    body: text,
    retryAfterSeconds,
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error && typeof error.code === 'string' ? `${error.code}: ` : ''
  return `${code}${error.message || error.name}`
}

/**
 * Sends one HTTP request to a supplier and returns what became of it; never throws for anything the
 * network or the supplier does. No retry, no redirect, no pipelining; the answer is read up to 256 KiB.
 *
 * @param signal aborts the call; before its first byte that is `not_sent`, afterwards `lost`
 */
export async function callSupplier(line: SupplierLine, request: SupplierRequest, signal: AbortSignal): Promise<SupplierReply> {
  const progress: Progress = { hasLeft: false }
  const timeout = AbortSignal.timeout(line.timeouts.callSeconds * 1_000)
  const either = AbortSignal.any([signal, timeout])
  try {
    const reply = await line.pace.run(either, () => exchange(line, request, progress, either))
    if (reply.kind === 'answered' && reply.status === 429) line.pace.backOff(reply.retryAfterSeconds ?? 1)
    return reply
  } catch (error) {
    if (error instanceof SendRefused) return { kind: 'not_sent', evidence: error.message }
    if (progress.hasLeft) return { kind: 'lost', evidence: describe(error) }
    if (signal.aborted) return { kind: 'not_sent', evidence: `stopped before the request was written: ${describe(error)}` }
    return { kind: 'unreachable', evidence: describe(error) }
  }
}

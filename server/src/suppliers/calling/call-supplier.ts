import type { Dispatcher } from 'undici'
import type { SupplierHttpClient } from './supplier-http-client.ts'

export type SupplierRequest = {
  readonly method: 'GET' | 'POST'
  /** The path below the client's base path, already percent-encoded. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** Time limit of the call, where shorter than that of the client. */
  readonly milliseconds?: number
  /** Returns whether the request may still be sent. Asked immediately before the first byte of a request that moves money. */
  readonly mayStillSend?: () => boolean
}

/**
 * The result of a request.
 *
 * - `answered`: a complete HTTP answer of any status
 * - `not_sent`: `mayStillSend` or the caller's signal stopped the request before its first byte, or it could not start within
 *   its own time limit
 * - `unreachable`: no connection could be made in time, or the request could not start within the client's time limit, so no
 *   byte was sent
 * - `lost`: the request was sent, wholly or in part, and no complete answer came: time-out, reset, too large, unreadable
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

/** We expect answers of a few hundred bytes. Reading stops at this size. */
const responseBytesMax = 256 * 1024

function readRetryAfter(header: string | string[] | undefined): number | undefined {
  const text = Array.isArray(header) ? header[0] : header
  if (text === undefined) return undefined
  if (/^\d{1,6}$/.test(text.trim())) return Number(text)
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - Date.now()) / 1_000))
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error && typeof error.code === 'string' ? `${error.code}: ` : ''
  return `${code}${error.message || error.name}`
}

type Answer = Extract<SupplierReply, { kind: 'answered' }>

function answerOf(status: number, headers: Record<string, string | string[] | undefined>): Answer {
  const contentType = headers['content-type']
  return {
    kind: 'answered',
    status,
    contentType: (Array.isArray(contentType) ? contentType[0] : contentType) ?? '',
    body: '',
    retryAfterSeconds: readRetryAfter(headers['retry-after']),
  }
}

function unanswered(error: unknown, hasLeft: boolean, caller: AbortSignal | undefined): SupplierReply {
  const evidence = describe(error)
  if (hasLeft) return { kind: 'lost', evidence }
  if (caller?.aborted) return { kind: 'not_sent', evidence: `stopped before the request was written: ${evidence}` }
  return { kind: 'unreachable', evidence }
}

/** Time limit of a request, and the signal by which its caller ends it earlier. */
type Limits = { readonly signal: AbortSignal | undefined; readonly milliseconds: number }

function timeIsOver(): Error {
  return new DOMException('the time was over', 'TimeoutError')
}

/**
 * Follows one request through the HTTP client. `onRequestStart` runs in the same turn of the event loop as the write of head
 * and body to the socket, immediately before it. If `mayStillSend` returns false there, the supplier gets no byte.
 */
function follow(
  request: SupplierRequest,
  { signal, milliseconds }: Limits,
): { handler: Dispatcher.DispatchHandler; reply: Promise<SupplierReply>; fail: (error: unknown) => void } {
  const { promise, resolve } = Promise.withResolvers<SupplierReply>()
  const parts: Buffer[] = []
  let size = 0
  let hasLeft = false
  let refusal: Error | undefined
  let answer: Answer | undefined
  let connection: Dispatcher.DispatchController | undefined
  const end = (reply: SupplierReply) => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
    resolve(reply)
  }
  const giveUp = (reason: Error) => {
    refusal = reason
    end(unanswered(reason, hasLeft, signal))
    connection?.abort(reason)
  }
  const fail = (error: unknown) => end(unanswered(error, hasLeft, signal))
  const onAbort = () => giveUp(signal?.reason as Error)
  const timer = setTimeout(() => giveUp(timeIsOver()), milliseconds)
  signal?.addEventListener('abort', onAbort, { once: true })
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart: (controller) => {
      connection = controller
      if (refusal) return controller.abort(refusal)
      if (request.mayStillSend?.() === false) {
        const evidence = 'the time to send had passed before the request was written'
        end({ kind: 'not_sent', evidence })
        return controller.abort(new Error(evidence))
      }
      hasLeft = true
    },
    onResponseStart: (_controller, status, headers) => {
      // A status below 200 is not final: the final answer follows.
      if (status >= 200) answer = answerOf(status, headers)
    },
    onResponseData: (controller, chunk) => {
      size += chunk.length
      parts.push(chunk)
      if (size <= responseBytesMax) return
      const evidence = `HTTP ${answer?.status} with more than ${responseBytesMax} bytes`
      end({ kind: 'lost', evidence })
      controller.abort(new Error(evidence))
    },
    onResponseEnd: () => {
      const [only] = parts
      const body = parts.length === 1 && only ? only.toString('utf8') : Buffer.concat(parts).toString('utf8')
      end(answer ? { ...answer, body } : unanswered(new Error('no answer'), hasLeft, signal))
    },
    onResponseError: (_controller, error) => fail(error),
  }
  return { handler, reply: promise, fail }
}

function exchange(line: SupplierHttpClient, request: SupplierRequest, limits: Limits): Promise<SupplierReply> {
  const { handler, reply, fail } = follow(request, limits)
  const options: Dispatcher.DispatchOptions = {
    method: request.method,
    path: `${line.basePath}${request.path}`,
    headers: { accept: 'application/json', 'accept-encoding': 'identity', ...request.headers },
    body: request.body ?? null,
    // Otherwise the client might repeat a GET on a new connection when the first one breaks.
    idempotent: false,
  }
  try {
    line.pool.dispatch(options, handler)
  } catch (error) {
    fail(error)
  }
  return reply
}

/** Waits until the call may start, then makes it. The wait and the call together take at most the call's time limit. */
async function exchangeInTurn(
  line: SupplierHttpClient,
  request: SupplierRequest,
  { signal, milliseconds }: Limits,
): Promise<SupplierReply> {
  const startedAt = performance.now()
  const limited = limitTime(signal, milliseconds)
  let left = milliseconds
  try {
    return await line.pace.run(limited.signal, () => {
      limited.release()
      left -= performance.now() - startedAt
      return exchange(line, request, { signal, milliseconds: Math.max(0, left) })
    })
  } finally {
    limited.release()
  }
}

/**
 * Sends one HTTP request to a supplier and returns its result. Never throws because of the network or the supplier. No
 * retry, no redirect, no pipelining; reads at most 256 KiB of the answer.
 * @param signal aborts the call; before its first byte that is `not_sent`, afterwards `lost`
 */
export async function callSupplier(
  line: SupplierHttpClient,
  request: SupplierRequest,
  signal: AbortSignal | undefined,
): Promise<SupplierReply> {
  const lineMilliseconds = line.timeouts.callSeconds * 1_000
  const limits = { signal, milliseconds: Math.min(request.milliseconds ?? lineMilliseconds, lineMilliseconds) }
  try {
    signal?.throwIfAborted()
    const reply = await (line.pace.free() > 0
      ? line.pace.run(signal, () => exchange(line, request, limits))
      : exchangeInTurn(line, request, limits))
    if (reply.kind === 'answered' && reply.status === 429) line.pace.backOff(reply.retryAfterSeconds ?? 1)
    return reply
  } catch (error) {
    // The request could not start in time. If its caller had less time than the client gives, that proves nothing about the
    // supplier.
    if (limits.milliseconds < lineMilliseconds) return { kind: 'not_sent', evidence: `no turn came: ${describe(error)}` }
    return unanswered(error, false, signal)
  }
}

export type LimitedSignal = { readonly signal: AbortSignal; release(): void }

/**
 * Makes a signal that aborts at the time limit, or together with `signal`. Call `release` when the work is done: unlike
 * `AbortSignal.timeout` it then leaves no timer, and unlike `AbortSignal.any` no weak references. With thousands of calls a
 * second those cost more than the calls.
 */
export function limitTime(signal: AbortSignal | undefined, milliseconds: number): LimitedSignal {
  const limited = new AbortController()
  const follow = () => limited.abort(signal?.reason)
  const timer = setTimeout(() => limited.abort(new DOMException('the time was over', 'TimeoutError')), milliseconds)
  if (signal?.aborted) follow()
  else signal?.addEventListener('abort', follow, { once: true })
  return {
    signal: limited.signal,
    release: () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', follow)
    },
  }
}

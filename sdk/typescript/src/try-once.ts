import type { Reason } from './errors.ts'

/** One request over the wire. */
export type WireRequest = {
  readonly method: string
  readonly url: string
  readonly key: string
  readonly body: string | undefined
}

/**
 * The outcome of one try. `isUnclear`: the API may have carried the request out. `isHopeless`: no later try changes the
 * outcome.
 */
export type Outcome =
  | { readonly kind: 'done'; readonly data: unknown; readonly headers: Headers }
  | ({ readonly kind: 'refused'; readonly headers: Headers } & Refusal)
  | ({
      readonly kind: 'again'
      readonly isUnclear: boolean
      readonly isHopeless?: boolean
      readonly headers?: Headers
      readonly cause?: unknown
    } & Partial<Refusal> & {
        readonly message: string
        readonly reason: Reason
      })

type Refusal = {
  readonly status: number
  readonly reason: Reason
  readonly message: string
  readonly requestId: string | undefined
  readonly retryAfterSeconds: number | undefined
}

type Envelope = { success: true; data: unknown } | { success: false; error: { code: number; message?: string } }

function isEnvelope(value: unknown, status: number): value is Envelope {
  if (typeof value !== 'object' || value === null || !('success' in value)) return false
  if (value.success === true) return status === 200 && 'data' in value
  const error = 'error' in value ? value.error : undefined
  return typeof error === 'object' && error !== null && 'code' in error && error.code === status
}

/** Seconds of `Retry-After`, which holds seconds or a date. */
function readRetryAfter(headers: Headers): number | undefined {
  const text = headers.get('retry-after')
  if (text === null) return undefined
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1_000
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined
}

/**
 * After a 500, an `outcome_unknown` or a 5xx without a reason the order may exist. The other refusals that a later try may
 * change charged nothing.
 */
function mayHaveCharged(status: number, reason: string | null): boolean {
  return status >= 500 && (reason === null || status === 500 || reason === 'outcome_unknown')
}

function readAnswer(response: Response, text: string): Outcome {
  const { status, headers } = response
  const envelope = parse(text)
  // A gateway's page, half an answer or the page of a hotel's network says nothing about what the API did.
  if (!isEnvelope(envelope, status)) {
    const message = `The answer (${status}) is none of this API. Is the base URL right?`
    return { kind: 'again', isUnclear: true, message, reason: 'no_answer', status, headers }
  }
  if (envelope.success) return { kind: 'done', data: envelope.data, headers }
  const reason = headers.get('x-error-reason')
  const refusal = {
    status,
    reason: reason ?? `status_${status}`,
    // Something on the way may answer in our form and leave the message out.
    message: envelope.error.message ?? '',
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: readRetryAfter(headers),
    headers,
  }
  if (status < 500 && status !== 429) return { kind: 'refused', ...refusal }
  return { kind: 'again', isUnclear: mayHaveCharged(status, reason), ...refusal }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** Reads the code and the text of a failed `fetch`. Node puts the cause, with its code, inside the error "fetch failed". */
function explain(error: unknown): { code: string; text: string } {
  const inner = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const code = inner instanceof Error && 'code' in inner ? String(inner.code) : ''
  return { code, text: (inner instanceof Error && inner.message) || code || String(inner) }
}

/** Describes a try without an answer. A certificate is checked before anything is sent, and no later try makes it trusted. */
function withoutAnswer(cause: unknown): Outcome {
  const { code, text } = explain(cause)
  if (!/CERT|UNABLE_TO_VERIFY/.test(code) && !/certificate/i.test(text)) {
    return { kind: 'again', isUnclear: true, message: `No answer came: ${text}.`, reason: 'no_answer', cause }
  }
  const message = `Nothing was sent, because the certificate of the server is not trusted: ${text}. On an installation with an authority of its own, NODE_EXTRA_CA_CERTS names the whole path of its ca.pem.`
  return { kind: 'again', isUnclear: false, isHopeless: true, message, reason: 'untrusted_certificate', cause }
}

/** Sends a request once. Returns every failure as a value and throws none. */
export async function tryOnce(request: WireRequest, timeoutSeconds: number, send: typeof fetch): Promise<Outcome> {
  const { method, url, key, body } = request
  try {
    const response = await send(url, {
      method,
      headers: { Authorization: key, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
      ...(body === undefined ? {} : { body }),
      // Following a redirect would send the key to another address.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutSeconds * 1_000),
    })
    return readAnswer(response, await response.text())
  } catch (cause) {
    return withoutAnswer(cause)
  }
}

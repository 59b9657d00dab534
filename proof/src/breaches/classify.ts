/**
 * The classes of an outcome, by what it proves about an order:
 *
 * - `accepted`: the order exists
 * - `business`: the request was refused for good; nothing was placed or charged
 * - `transient`: the request reached no server, or was refused unread
 * - `ambiguous`: the order may exist; the client sends the same reference again until the outcome is one of the others
 */
export type AnswerClass = 'accepted' | 'business' | 'transient' | 'ambiguous'

/** An outcome without a class. It fails the run. */
export class UnclassifiedError extends Error {
  override name = 'UnclassifiedError'
}

type Answered = {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: { success: boolean; error?: { code: number } } | undefined
}

/** Statuses of the contract's error table that refuse a request for good. 429 is not one: it concerns the key, not the order. */
const businessStatuses = new Set([400, 401, 402, 403, 404, 409, 410])
const ambiguousStatuses = new Set([500, 502, 503])

/** Classifies an answer as a client must. A 503 proves nothing about the order, unless its reason is `feature_disabled`. */
export function classifyAnswer(answer: Answered): AnswerClass {
  const { status, body, headers } = answer
  const isEnvelope = body !== undefined && body.success === (status === 200) && (status === 200 || body.error?.code === status)
  if (!isEnvelope) throw new UnclassifiedError(`status ${status} without the envelope: ${JSON.stringify(body)}`)
  if (status === 200) return 'accepted'
  if (status === 429) return 'transient'
  if (headers['x-error-reason'] === 'feature_disabled') return 'business'
  if (businessStatuses.has(status)) return 'business'
  if (ambiguousStatuses.has(status)) return 'ambiguous'
  throw new UnclassifiedError(`status ${status}`)
}

/**
 * Returns whether an answer says, in words or by a 4xx, that this try charged nothing. A client may then buy again under
 * another reference, so the order of this try must never appear later.
 */
export function deniesCharge({ status, body }: Pick<Answered, 'status'> & { body: { error?: { message: string } } | undefined }) {
  return (status >= 400 && status < 500) || /charged nothing/i.test(body?.error?.message ?? '')
}

/** No connection was made, so no request was sent. */
const transientCodes = new Set(['ECONNREFUSED', 'UND_ERR_CONNECT_TIMEOUT'])

/** The connection broke, or the answer did not come. */
const ambiguousCodes = new Set([
  'ECONNRESET',
  'EPIPE',
  'UND_ERR_SOCKET',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_CLOSED',
])

export function classifyFailure(error: unknown): { code: string; class: AnswerClass } {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''
  if (transientCodes.has(code)) return { code, class: 'transient' }
  if (ambiguousCodes.has(code)) return { code, class: 'ambiguous' }
  throw new UnclassifiedError(`no answer, for a reason unknown to this client: ${code || String(error)}`, { cause: error })
}

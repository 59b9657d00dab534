import { isId } from '../../platform/database/read-id.ts'
import { hiddenValue, holdsSecret, redact } from './redact.ts'

/**
 * A call that is noted when its answer is ready, and stored later. It only refers to the bodies, so that noting a call reads
 * and copies nothing of them.
 */
export type CallToLog = {
  readonly keyId: string
  readonly calledAt: Date
  readonly method: string
  /** The pattern of the endpoint, without the prefix of the API. */
  readonly path: string
  readonly schema: CallSchema
  readonly status: number
  readonly milliseconds: number
  readonly requestId: string
  readonly address: string
  readonly reason: string | null
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
  /** The answer's text; undefined when it was too long, or was no text. */
  readonly answer: string | undefined
}

/** The schemas of an endpoint, which decide what is kept of a call. */
export type CallSchema = {
  readonly params?: unknown
  readonly querystring?: unknown
  readonly body?: unknown
  readonly response?: unknown
}

/** The columns of a stored call that are made from its bodies. */
export type LoggedBodies = {
  readonly request: string | null
  readonly response: string | null
  readonly orderReferences: string[] | null
  readonly orderId: string | null
}

type Fields = Readonly<Record<string, unknown>>
const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {})

/** The most orders of a batch. */
const referencesMax = 100
const referencePattern = /^[^\p{Cc}]{1,100}$/u

const errorShape = {
  properties: { success: {}, error: { properties: { code: {}, message: {} } } },
}

function redactAnswer({ answer, status, schema }: CallToLog): unknown {
  if (answer === undefined) return undefined
  const shape = status >= 400 ? errorShape : fieldsOf(schema.response)['200']
  return shape ? redact(shape, JSON.parse(answer) as unknown) : undefined
}

function redactRequest({ params, query, body, schema }: CallToLog): Fields | undefined {
  const parts = [
    ['params', schema.params, params],
    ['query', schema.querystring, query],
    ['body', schema.body, body],
  ] as const
  const kept = parts.flatMap(([name, shape, value]) => {
    if (!shape || value === undefined || value === null) return []
    const part = redact(shape, value)
    return typeof part === 'object' && part !== null && Object.keys(part).length === 0 ? [] : [[name, part] as const]
  })
  return kept.length === 0 ? undefined : Object.fromEntries(kept)
}

/**
 * Collects the references in a call, only from fields that its schema knows. Leaves out every text that holds a key or the number
 * of a Ghana Card, and what stands in place of a hidden text.
 */
function referencesOf(request: Fields | undefined, response: unknown, call: CallToLog): string[] {
  const body = fieldsOf(request?.['body'])
  const data = fieldsOf(fieldsOf(response)['data'])
  // The references are read from the whole body, because the stored list is cut and all orders of a batch must be found.
  const entries = Array.isArray(body['orders']) ? (fieldsOf(call.body)['orders'] as unknown[]).slice(0, referencesMax) : []
  const named = [
    fieldsOf(request?.['params'])['reference'],
    body['reference'],
    data['reference'],
    fieldsOf(data['order'])['reference'],
    ...entries.map((entry) => fieldsOf(entry)['reference']),
  ]
  const texts = named.filter((text): text is string => typeof text === 'string' && referencePattern.test(text))
  return [
    ...new Set(texts.filter((text) => !/_(?:live|test)_/.test(text) && !holdsSecret(text) && !text.startsWith(hiddenValue))),
  ]
}

/** The id of the order in the answer: each endpoint has another field for it. */
function orderIdOf(response: unknown): string | null {
  const data = fieldsOf(fieldsOf(response)['data'])
  const named = [
    data['order_id'],
    fieldsOf(data['order'])['id'],
    data['campaignId'],
    fieldsOf(data['campaign'])['id'],
    data['id'],
  ]
  const found = named.find((id): id is string => typeof id === 'string' && isId(id))
  return found ?? null
}

/** Removes keys, PINs and identity data from a call before it is stored. */
export function redactCall(call: CallToLog): LoggedBodies {
  const request = redactRequest(call)
  const response = redactAnswer(call)
  const references = referencesOf(request, response, call)
  return {
    request: request ? JSON.stringify(request) : null,
    response: response === undefined ? null : JSON.stringify(response),
    orderReferences: references.length > 0 ? references : null,
    orderId: call.status < 400 ? orderIdOf(response) : null,
  }
}

import { MakolaError } from './errors.ts'

/** A delivery that must not be believed. `reason` is `missing_header`, `wrong_time`, `wrong_signature` or `unreadable_body`. */
export class WebhookError extends MakolaError {}

export type WebhookDelivery = {
  /** The headers as they came: an object of Node, or `Headers`. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>
  /** The body byte by byte as it came. A body that was parsed and written again has another signature. */
  readonly body: string | Uint8Array
  /** The secrets of the endpoint, `whsec_…`. While one replaces another, give both. */
  readonly secrets: string | readonly (string | undefined)[]
  /** How far the time of a delivery may be from `now`; 300 if left out. It stops people who send an old delivery again. */
  readonly toleranceSeconds?: number
  /** The moment to compare with; the present one if left out. */
  readonly now?: Date
}

export type WebhookEvent = {
  /** The same for each delivery of one event: do nothing for an id that you have seen. */
  readonly id: string
  readonly sentAt: Date
  /** The event as it was sent. */
  readonly payload: { readonly type: string; readonly timestamp: string; readonly data: Readonly<Record<string, unknown>> }
}

function readHeader({ headers }: WebhookDelivery, name: string): string {
  const found =
    headers instanceof Headers ? headers.get(name) : Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1]
  const value = typeof found === 'string' ? found : found?.[0]
  if (!value) throw new WebhookError(`The delivery has no header ${name}.`, { reason: 'missing_header' })
  return value
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
  } catch {
    return undefined
  }
}

const noSecret = 'A webhook secret begins with whsec_, as the app showed it when the endpoint was added. Is the variable set?'

/** Returns whether one of the signatures was made with this secret. The comparison takes the same time wherever they differ. */
async function isSigned(
  signed: Uint8Array<ArrayBuffer>,
  signatures: readonly string[],
  secret: string | undefined,
): Promise<boolean> {
  const bytes = secret?.startsWith('whsec_') ? bytesOf(secret.slice('whsec_'.length)) : undefined
  if (!bytes?.length) throw new TypeError(noSecret)
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
  for (const signature of signatures) {
    const given = signature.startsWith('v1,') ? bytesOf(signature.slice(3)) : undefined
    if (given && (await crypto.subtle.verify('HMAC', key, given, signed))) return true
  }
  return false
}

function signedBytes(id: string, sentAt: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const before = new TextEncoder().encode(`${id}.${sentAt}.`)
  const signed = new Uint8Array(before.length + body.length)
  signed.set(before)
  signed.set(body, before.length)
  return signed
}

/**
 * Checks that a delivery comes from the installation and is fresh, by Standard Webhooks (https://www.standardwebhooks.com).
 *
 * @throws WebhookError when it must not be believed: answer it with 400
 */
export async function verifyWebhook(delivery: WebhookDelivery): Promise<WebhookEvent> {
  const { secrets, toleranceSeconds = 300, now = new Date() } = delivery
  const id = readHeader(delivery, 'webhook-id')
  const sentAt = readHeader(delivery, 'webhook-timestamp')
  const signatures = readHeader(delivery, 'webhook-signature').split(' ')
  const age = now.getTime() / 1_000 - Number(sentAt)
  if (!/^\d+$/.test(sentAt) || Math.abs(age) > toleranceSeconds) {
    throw new WebhookError('The delivery is too old, or from the future.', { reason: 'wrong_time' })
  }
  const body = typeof delivery.body === 'string' ? new TextEncoder().encode(delivery.body) : delivery.body
  if (!(body instanceof Uint8Array))
    throw new TypeError('body must be the text or the bytes as they came, before they are parsed.')
  const signed = signedBytes(id, sentAt, body)
  for (const secret of typeof secrets === 'string' ? [secrets] : secrets) {
    if (await isSigned(signed, signatures, secret)) {
      return { id, sentAt: new Date(Number(sentAt) * 1_000), payload: readPayload(body) }
    }
  }
  throw new WebhookError('No signature of the delivery was made with your secret.', { reason: 'wrong_signature' })
}

function readPayload(body: Uint8Array): WebhookEvent['payload'] {
  try {
    return JSON.parse(new TextDecoder().decode(body)) as WebhookEvent['payload']
  } catch (cause) {
    throw new WebhookError('The body of the delivery is no JSON.', { reason: 'unreadable_body', cause })
  }
}

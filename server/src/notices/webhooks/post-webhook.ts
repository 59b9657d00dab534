import { createHmac, randomBytes } from 'node:crypto'
import { type Dispatcher, request } from 'undici'

const secretPrefix = 'whsec_'

/** Makes a secret of 256 bits, written as Standard Webhooks writes it. */
export const makeWebhookSecret = (): string => `${secretPrefix}${randomBytes(32).toString('base64')}`

/**
 * Signs a request by Standard Webhooks: HMAC-SHA256 over the id, the time and the exact body, once for each secret.
 *
 * @param at seconds since 1970
 */
export function signWebhook(secrets: readonly string[], id: string, at: number, body: string): string {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(secretPrefix.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64')}`
  })
  return signatures.join(' ')
}

/** How a try ended. Of an answer only the beginning is kept. */
export type Try = {
  readonly isTaken: boolean
  /** Null: there was no answer. */
  readonly status: number | null
  readonly answer: string | null
  /** Null: it did not fail. */
  readonly failure: string | null
  readonly milliseconds: number
}

/** An endpoint has this long for its whole answer. */
const answerMilliseconds = 10_000

/** Bytes of an answer that are read. More is cut off, so that an endless answer costs nothing. */
const answerBytesMax = 1_024

async function readBeginning(body: Dispatcher.ResponseData['body']): Promise<string> {
  const pieces: Buffer[] = []
  let length = 0
  try {
    for await (const piece of body as AsyncIterable<Buffer>) {
      pieces.push(piece)
      length += piece.length
      if (length >= answerBytesMax) break
    }
  } catch {
    // The status has already decided the outcome. If the answer breaks off, its first part is kept.
  }
  body.destroy()
  // PostgreSQL stores no NUL in texts.
  return Buffer.concat(pieces).subarray(0, answerBytesMax).toString('utf8').replaceAll('\0', '\uFFFD')
}

function wordFailure(error: unknown): string {
  const { name, code } = error as { name?: string; code?: string }
  if (name === 'TimeoutError') return `It did not answer within ${answerMilliseconds / 1_000} seconds.`
  if (code === 'ADDRESS_NOT_PUBLIC') return 'Its address is not one of the public internet.'
  return `It could not be reached${code === undefined ? '' : ` (${code})`}.`
}

function wordStatus(status: number): string | null {
  if (status >= 200 && status < 300) return null
  return status >= 300 && status < 400 ? `It answered ${status}; redirects are not followed.` : `It answered ${status}.`
}

type Signed = {
  readonly url: string
  readonly secrets: readonly string[]
  readonly eventId: string
  readonly body: string
  readonly dispatcher: Dispatcher
}

/** Sends one signed request (Standard Webhooks). Follows no redirect. Never throws. */
export async function postWebhook({ url, secrets, eventId, body, dispatcher }: Signed): Promise<Try> {
  const begin = performance.now()
  const since = () => Math.round(performance.now() - begin)
  const at = Math.floor(Date.now() / 1_000)
  try {
    const response = await request(url, {
      method: 'POST',
      dispatcher,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'makola',
        'webhook-id': eventId,
        'webhook-timestamp': String(at),
        'webhook-signature': signWebhook(secrets, eventId, at, body),
      },
      body,
      signal: AbortSignal.timeout(answerMilliseconds),
    })
    const { statusCode: status } = response
    const answer = await readBeginning(response.body)
    const failure = wordStatus(status)
    return { isTaken: failure === null, status, answer, failure, milliseconds: since() }
  } catch (error) {
    return { isTaken: false, status: null, answer: null, failure: wordFailure(error), milliseconds: since() }
  }
}

import { createHmac, randomBytes } from 'node:crypto'

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

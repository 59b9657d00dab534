import type { AdapterOptions } from '../adapter.ts'
import type { SupplierReply } from './call-supplier.ts'

/**
 * A credential for a header.
 * @throws Error when it is missing or cannot be sent
 */
export function accountCredential(options: Pick<AdapterOptions, 'name' | 'credentials'>, name: string): string {
  const value = options.credentials[name]
  if (value === undefined || !/^[\x21-\x7e]+$/.test(value)) {
    throw new Error(`${options.name} needs the credential ${name}: printable characters without blanks`)
  }
  return value
}

/** Shorter secrets could occur in ordinary text, so they are not searched for. */
const secretLengthMin = 8

/** Removes a secret from an answer that repeats it, before the answer is stored. */
export function withoutSecret(reply: SupplierReply, secret: string): SupplierReply {
  if (reply.kind !== 'answered' || secret.length < secretLengthMin) return reply
  return { ...reply, body: reply.body.replaceAll(secret, '[redacted]') }
}

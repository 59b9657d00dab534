import type { AdapterOptions } from '../adapter.ts'
import type { SupplierReply } from './call-supplier.ts'

/** A credential as a header can carry it. @throws Error when it is missing or cannot be sent */
export function accountCredential(options: Pick<AdapterOptions, 'name' | 'credentials'>, name: string): string {
  const value = options.credentials[name]
  if (value === undefined || !/^[\x21-\x7e]+$/.test(value)) {
    throw new Error(`${options.name} needs the credential ${name}: printable characters without blanks`)
  }
  return value
}

/** A secret shorter than this cannot be told from ordinary text, and is not searched for in answers. */
const secretLengthMin = 8

/** Blanks a secret where an answer echoes it, before anything of it is kept. */
export function withoutSecret(reply: SupplierReply, secret: string): SupplierReply {
  if (reply.kind !== 'answered' || secret.length < secretLengthMin) return reply
  return { ...reply, body: reply.body.replaceAll(secret, '[redacted]') }
}

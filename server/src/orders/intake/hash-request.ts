import { hash } from 'node:crypto'

/** 128 bits, in hexadecimal: enough to tell two requests with the same reference apart, and kept for ever. */
const fingerprintDigits = 32

/** The fingerprint of a request: the first half of the SHA-256 of its fields. */
export function hashRequest(fields: readonly unknown[]): string {
  return hash('sha256', JSON.stringify(fields), 'hex').slice(0, fingerprintDigits)
}

import { type Refusal, refusals } from '../platform/http/refusals.ts'

/** The maximum in code points where the API's own description sets none (decision R10). */
export const referenceLengthMax = 100

// oxlint-disable-next-line no-control-regex
const controlCharacters = /[\u0000-\u001f\u007f-\u009f]/u

/**
 * Checks what a schema cannot: a reference is not blank, has no control characters, and is not `.` or `..`, which clients
 * and proxies would take for path segments (decision R10).
 *
 * @returns why it is refused, or undefined
 */
export function refuseReference(reference: string): Refusal | undefined {
  if (reference.trim() === '') return refusals.invalidRequest('reference must not be blank.')
  if (controlCharacters.test(reference)) return refusals.invalidRequest('reference must not contain control characters.')
  if (reference === '.' || reference === '..') return refusals.invalidRequest('reference must not be "." or "..".')
  return undefined
}

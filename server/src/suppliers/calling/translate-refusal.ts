import type { SupplierAnswer } from '../ports.ts'
import type { ErrorMeaning } from './supplier-words.ts'

/**
 * The answer that a refusal of a purchase stands for. A definitive one needs the supplier's own JSON and a word
 * we know; the HTTP status alone proves only that somebody spoke HTTP.
 *
 * @param retryAfterSeconds used when it is a throttle
 */
export function translateRefusal(meaning: ErrorMeaning | undefined, evidence: string, retryAfterSeconds: number): SupplierAnswer {
  switch (meaning) {
    case 'float':
    case 'auth':
    case 'disabled':
      return { meaning: 'rejected_platform', cause: meaning, evidence }
    case 'throttled':
      return { meaning: 'throttled', retryAfterSeconds, evidence }
    case 'rejected_recipient':
    case 'rejected_request':
    case 'not_registered':
    case 'duplicate_exists':
      return { meaning, evidence }
    // A purchase that is answered with "order not found" makes no sense to us.
    case 'never_received':
    case 'unknown':
    case undefined:
  }
  return { meaning: 'unknown', evidence }
}

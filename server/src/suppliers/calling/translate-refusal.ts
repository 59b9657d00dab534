import type { SupplierAnswer } from '../ports.ts'
import type { ErrorMeaning } from './supplier-vocabulary.ts'

/**
 * The answer for a refused purchase, by the meaning of the supplier's error. An unknown error proves nothing, so it is
 * `unknown`.
 * @param retryAfterSeconds used for a throttle
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
    // "Order not found" is no sensible answer to a purchase.
    case 'never_received':
    case 'unknown':
    case undefined:
  }
  return { meaning: 'unknown', evidence }
}

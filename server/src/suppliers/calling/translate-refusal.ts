import type { SupplierAnswer } from '../ports.ts'
import type { ErrorMeaning } from './supplier-words.ts'

/**
 * The answer for a refused purchase, by what the supplier's error means. An error that we do not understand proves
 * nothing, so it is `unknown`.
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

import type { FloatAnswer } from '../ports.ts'
import { type JsonObject, textField } from './read-json.ts'
import type { ErrorMeaning } from './supplier-words.ts'

/** The words for errors in a supplier's JSON. */
export type ErrorWords = {
  /** The supplier's error codes, in capitals. */
  readonly codes: ReadonlyMap<string, ErrorMeaning>
  /** The texts of errors that come without a code. */
  readonly texts: readonly (readonly [RegExp, ErrorMeaning])[]
}

/** What an error means, by the supplier's own words. A code is exact: if we do not know it, the text beside it is not used. */
export function readErrorMeaning(body: JsonObject, code: string | undefined, words: ErrorWords): ErrorMeaning | undefined {
  if (code !== undefined) return words.codes.get(code.toUpperCase())
  const message = textField(body, 'message') ?? ''
  return words.texts.find(([pattern]) => pattern.test(message))?.[1]
}

/** The meaning of an HTTP status, used for an error whose text we do not know: the supplier may have refused our account. */
export function meaningOfStatusCode(status: number, body: JsonObject): ErrorMeaning | undefined {
  if (status === 401) return 'auth'
  if (textField(body, 'code') !== undefined) return undefined
  return status === 403 ? 'auth' : status === 402 ? 'float' : undefined
}

/** What an error means for a read of our float: our account is refused, or nothing is known. */
export function floatOfError(meaning: ErrorMeaning | undefined, evidence: string): FloatAnswer {
  return meaning === 'auth' || meaning === 'disabled'
    ? { meaning: 'refused', cause: meaning, evidence }
    : { meaning: 'unknown', evidence }
}

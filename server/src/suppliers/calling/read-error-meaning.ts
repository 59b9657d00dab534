import type { FloatAnswer } from '../ports.ts'
import { type JsonObject, textField } from './read-json.ts'
import type { ErrorMeaning } from './supplier-words.ts'

export type ErrorWords = {
  /** The supplier's error codes, in capitals. */
  readonly codes: ReadonlyMap<string, ErrorMeaning>
  /** Texts of errors that come without a code. */
  readonly texts: readonly (readonly [RegExp, ErrorMeaning])[]
}

/** Finds the meaning of an error by the supplier's words. A code is exact: the text beside an unknown code is not used. */
export function readErrorMeaning(body: JsonObject, code: string | undefined, words: ErrorWords): ErrorMeaning | undefined {
  if (code !== undefined) return words.codes.get(code.toUpperCase())
  const message = textField(body, 'message') ?? ''
  return words.texts.find(([pattern]) => pattern.test(message))?.[1]
}

/** The meaning of an HTTP status, for an error whose text is unknown: the supplier may have refused our account. */
export function meaningOfStatusCode(status: number, body: JsonObject): ErrorMeaning | undefined {
  if (status === 401) return 'auth'
  if (textField(body, 'code') !== undefined) return undefined
  return status === 403 ? 'auth' : status === 402 ? 'float' : undefined
}

/** The meaning of an error for a read of our float: our account is refused, or nothing is known. */
export function floatOfError(meaning: ErrorMeaning | undefined, evidence: string): FloatAnswer {
  return meaning === 'auth' || meaning === 'disabled'
    ? { meaning: 'refused', cause: meaning, evidence }
    : { meaning: 'unknown', evidence }
}

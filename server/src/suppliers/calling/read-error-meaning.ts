import type { FloatAnswer } from '../ports.ts'
import { type JsonObject, textField } from './read-json.ts'
import type { ErrorMeaning } from './supplier-words.ts'

/** How a supplier says in its JSON what is wrong. */
export type ErrorWords = {
  /** Its error codes in capitals. */
  readonly codes: ReadonlyMap<string, ErrorMeaning>
  /** The texts of errors that come without a code. */
  readonly texts: readonly (readonly [RegExp, ErrorMeaning])[]
}

/**
 * What an error means in the supplier's own words. A code is its exact word: when it is one we do not know, the
 * prose beside it is not consulted.
 */
export function readErrorMeaning(body: JsonObject, code: string | undefined, words: ErrorWords): ErrorMeaning | undefined {
  if (code !== undefined) return words.codes.get(code.toUpperCase())
  const message = textField(body, 'message') ?? ''
  return words.texts.find(([pattern]) => pattern.test(message))?.[1]
}

/** An error of theirs in prose we do not know still says by its HTTP status that they would not deal with us. */
export function meaningOfStatusCode(status: number, body: JsonObject): ErrorMeaning | undefined {
  if (status === 401) return 'auth'
  if (textField(body, 'code') !== undefined) return undefined
  return status === 403 ? 'auth' : status === 402 ? 'float' : undefined
}

/** What an error says to somebody who only asked for our float: that we are locked out, or nothing. */
export function floatOfError(meaning: ErrorMeaning | undefined, evidence: string): FloatAnswer {
  return meaning === 'auth' || meaning === 'disabled'
    ? { meaning: 'refused', cause: meaning, evidence }
    : { meaning: 'unknown', evidence }
}

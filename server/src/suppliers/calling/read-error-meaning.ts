import type { FloatAnswer } from '../ports.ts'
import { type JsonObject, textField } from './read-json.ts'
import type { ErrorMeaning } from './supplier-vocabulary.ts'

export type ErrorVocabulary = {
  /** The supplier's error codes, in capitals. */
  readonly codes: ReadonlyMap<string, ErrorMeaning>
  /** Texts of errors that come without a code. */
  readonly texts: readonly (readonly [RegExp, ErrorMeaning])[]
}

/**
 * Finds the meaning of an error. If the error has a code, only the code counts: the text beside an unknown code is not used.
 */
export function readErrorMeaning(body: JsonObject, code: string | undefined, words: ErrorVocabulary): ErrorMeaning | undefined {
  if (code !== undefined) return words.codes.get(code.toUpperCase())
  const message = textField(body, 'message') ?? ''
  return words.texts.find(([pattern]) => pattern.test(message))?.[1]
}

/**
 * The meaning of an HTTP status, for an error whose code or text we do not know. When the answer has an unknown code, only the
 * status 401 has a meaning.
 */
export function meaningOfStatusCode(status: number, code: string | undefined): ErrorMeaning | undefined {
  if (status === 401) return 'auth'
  if (code !== undefined) return undefined
  return status === 403 ? 'auth' : status === 402 ? 'float' : undefined
}

/** Translates an error in the answer about our float: the supplier refuses our account, or the float is unknown. */
export function floatOfError(meaning: ErrorMeaning | undefined, evidence: string): FloatAnswer {
  return meaning === 'auth' || meaning === 'disabled'
    ? { meaning: 'refused', cause: meaning, evidence }
    : { meaning: 'unknown', evidence }
}

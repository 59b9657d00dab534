import { asObject, type JsonObject, readJsonObject, textField } from '../calling/read-json.ts'
import type { CodeMeaning, HubtelVocabulary } from './settings.ts'

/** Hubtel's envelope with lower-case field names: some hosts write PascalCase, others camelCase. */
export type HubtelAnswer = {
  /** Four digits, such as `0001`. */
  readonly code: string | undefined
  readonly meaning: CodeMeaning | undefined
  /** All sentences of the answer. People read them, and a few words in them decide the meaning. */
  readonly text: string
  /** The field `data`, if it is an object; undefined for anything else, such as a list. */
  readonly data: JsonObject | undefined
  /** The field `data` of any type, as the answer has it. */
  readonly rawData: unknown
}

/** An object with its field names in lower case. @returns undefined for anything else */
export function withPlainNames(value: unknown): JsonObject | undefined {
  const object = asObject(value)
  return object && Object.fromEntries(Object.entries(object).map(([name, field]) => [name.toLowerCase(), field]))
}

/**
 * Collects the sentences of the envelope and of validation errors. Leaves out all other fields, because customers'
 * names and numbers must not decide the answer's meaning.
 */
function sentencesOf(envelope: JsonObject): string {
  const data = envelope.data
  const errors = Array.isArray(data) ? data.map(withPlainNames) : [withPlainNames(data)]
  const ofErrors = errors.flatMap((error) => [
    textField(error, 'description'),
    textField(error, 'field'),
    textField(error, 'errormessage'),
  ])
  return [textField(envelope, 'message'), ...ofErrors].filter((part) => part !== undefined).join(' ')
}

/**
 * Reads Hubtel's envelope.
 * @returns undefined for anything but a JSON object
 */
export function readHubtelAnswer(text: string, vocabulary: HubtelVocabulary): HubtelAnswer | undefined {
  const envelope = withPlainNames(readJsonObject(text))
  if (envelope === undefined) return undefined
  const given = envelope.responsecode
  // 0001 written as a number arrives as 1.
  const code = typeof given === 'number' ? String(given).padStart(4, '0') : textField(envelope, 'responsecode')
  return {
    code,
    meaning: code === undefined ? undefined : vocabulary.codes.get(code),
    text: sentencesOf(envelope),
    data: withPlainNames(envelope.data),
    rawData: envelope.data,
  }
}

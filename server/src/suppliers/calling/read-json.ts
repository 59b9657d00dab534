/** An object from a supplier's JSON. Its fields may have any type. */
export type JsonObject = { readonly [name: string]: unknown }

export function asObject(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined
}

/** Parses text that should be a JSON object. @returns undefined for anything else */
export function readJsonObject(text: string): JsonObject | undefined {
  try {
    return asObject(JSON.parse(text) as unknown)
  } catch {
    return undefined
  }
}

/**
 * A text field that is not empty.
 * @returns undefined for a missing, empty or non-text field
 */
export function textField(object: JsonObject | undefined, name: string): string | undefined {
  const value = object?.[name]
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}

/**
 * A reference in a supplier's answer: ours, or the supplier's. It goes into the database and into queries, so only printable
 * ASCII without spaces is accepted.
 * @returns undefined for anything else
 */
export function referenceField(object: JsonObject | undefined, name: string): string | undefined {
  const text = textField(object, name)
  return text !== undefined && /^[\x21-\x7e]{1,100}$/.test(text) ? text : undefined
}

/** A number, or its decimal text. @returns undefined for anything else, also for infinities */
export function numberField(object: JsonObject | undefined, name: string): number | undefined {
  const value = object?.[name]
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (typeof value === 'string' && /^-?\d{1,13}(\.\d{1,8})?$/.test(value.trim())) return Number(value)
  return undefined
}

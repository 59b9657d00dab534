import type { ErrorObject } from 'ajv'
import { formatsInWords, patternsInWords } from './document/patterns-in-words.ts'

/** Writes `/orders/3/volume_gb` for people: `orders[3].volume_gb`. */
function readablePath(instancePath: string): string {
  let path = ''
  for (const step of instancePath.split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
    if (/^\d+$/.test(name)) path += `[${name}]`
    else path += path === '' ? name : `.${name}`
  }
  return path
}

const join = (path: string, field: string) => (path === '' ? field : `${path}.${field}`)

const withArticle = (type: string) => (/^[aio]/.test(type) ? `an ${type}` : `a ${type}`)

const characters = (count: number) => (count === 1 ? '1 character' : `${count} characters`)

const decimals = (count: number) => (count === 1 ? '1 decimal' : `${count} decimals`)

/**
 * The keyword that limits the decimals of a number. With `multipleOf`, clients would refuse 4.35 because of
 * floating-point arithmetic.
 */
export const decimalsKeyword = 'x-decimals'

type Parameters = Record<string, unknown>

/** The sentence for each broken rule, by the rule's name in JSON Schema. */
const sentences: Record<string, (name: string, parameters: Parameters, message: string) => string> = {
  [decimalsKeyword]: (name, { limit }) => `${name} must have at most ${decimals(Number(limit))}`,
  type: (name, { type }) => `${name} must be ${[type].flat().map(String).map(withArticle).join(' or ')}`,
  enum: (name, { allowedValues }) => `${name} must be one of ${(allowedValues as unknown[]).join(', ')}`,
  const: (name, { allowedValue }) => `${name} must be ${String(allowedValue)}`,
  minLength: (name, { limit }) => `${name} must have at least ${characters(Number(limit))}`,
  maxLength: (name, { limit }) => `${name} must have at most ${characters(Number(limit))}`,
  minItems: (name, { limit }) => `${name} must have at least ${String(limit)} entries`,
  maxItems: (name, { limit }) => `${name} must have at most ${String(limit)} entries`,
  minimum: (name, { limit }) => `${name} must be at least ${String(limit)}`,
  maximum: (name, { limit }) => `${name} must be at most ${String(limit)}`,
  exclusiveMinimum: (name, { limit }) => `${name} must be greater than ${String(limit)}`,
  exclusiveMaximum: (name, { limit }) => `${name} must be less than ${String(limit)}`,
  format: (name, { format }) => `${name} must be ${formatsInWords[String(format)] ?? `a valid ${String(format)}`}`,
  anyOf: (name) => `${name} is in none of the forms that it can have`,
  oneOf: (name) => `${name} is in none of the forms that it can have`,
  additionalProperties: (name, { additionalProperty }) => `${name} has a field that is not known: ${String(additionalProperty)}`,
  uniqueItems: (name) => `${name} must not have an entry twice`,
  minProperties: (name, { limit }) => `${name} must have at least ${String(limit)} fields`,
  pattern: (name, { pattern }) => {
    const words = patternsInWords[String(pattern)]
    return words === undefined ? `${name} does not have the required form` : `${name} must be ${words}`
  },
}

/** The field with the error, even when the field is missing. */
function fieldOf({ instancePath, keyword, params }: ErrorObject): string {
  const path = readablePath(instancePath)
  return keyword === 'required' ? join(path, String((params as Parameters)['missingProperty'])) : path
}

/**
 * Merges the errors of a value that fits none of several schemas into one: the allowed kinds of value. Errors deeper inside
 * of the value are more exact, so they stay instead.
 */
function mergeAlternatives(errors: readonly ErrorObject[]): ErrorObject[] {
  const unions = errors.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf')
  const isOf =
    ({ schemaPath }: ErrorObject) =>
    (error: ErrorObject) =>
      error.schemaPath.startsWith(`${schemaPath}/`)
  const merged = unions.flatMap((union): ErrorObject[] => {
    const parts = errors.filter(isOf(union))
    if (parts.some(({ instancePath }) => instancePath !== union.instancePath)) return []
    const types = parts.flatMap(({ keyword, params }) => (keyword === 'type' ? [(params as Parameters)['type']] : [])).flat()
    const values = parts.flatMap(({ keyword, params }) => (keyword === 'const' ? [(params as Parameters)['allowedValue']] : []))
    if (types.length === parts.length) return [{ ...union, keyword: 'type', params: { type: types } }]
    if (values.length === parts.length) return [{ ...union, keyword: 'enum', params: { allowedValues: values } }]
    return [union]
  })
  const isCovered = (error: ErrorObject) =>
    unions.some((union) => error === union || (error.instancePath === union.instancePath && isOf(union)(error)))
  return [...errors.filter((error) => !isCovered(error)), ...merged]
}

function describeOne(error: ErrorObject, part: string): string {
  const field = fieldOf(error)
  if (error.keyword === 'required') return `${field} is required.`
  const name = field === '' ? `the ${part}` : field
  const sentence = sentences[error.keyword]
  const said = sentence?.(name, error.params as Parameters, error.message ?? '')
  return said === undefined ? `${name} ${error.message ?? 'is not valid'}.` : `${said}.`
}

/**
 * Describes the faults of a request (decision A10: how requests are read) by a sentence for every faulty field, such as
 * `orders[3].volume_gb must be a number.` For a field that breaks several rules, only the first is named. The caller's
 * values are not repeated, because a secret may be in the wrong field.
 * @param part the part of the request: `body`, `querystring`, `params` or `headers`
 */
export function describeSchemaErrors(errors: readonly ErrorObject[], part: string): string {
  if (errors.length === 0) return `The ${part} is not valid.`
  const firstOf = new Map<string, ErrorObject>()
  for (const error of mergeAlternatives(errors)) if (!firstOf.has(fieldOf(error))) firstOf.set(fieldOf(error), error)
  return [...firstOf.values()].map((error) => describeOne(error, part)).join(' ')
}

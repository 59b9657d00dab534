import type { ErrorObject } from 'ajv'

/** `/orders/3/volume_gb` as people write it: `orders[3].volume_gb`. */
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

type Parameters = Record<string, unknown>

/** What each rule says about a field, by the rule's name in JSON Schema. */
const sentences: Record<string, (name: string, parameters: Parameters, message: string) => string> = {
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
  format: (name, { format }) => `${name} must be a valid ${String(format)}`,
  pattern: (name) => `${name} does not have the required form`,
}

/**
 * The first broken rule of a request as a sentence such as `orders[3].volume_gb must be a number.`
 * What the caller sent is not repeated: it may be a secret in the wrong field.
 *
 * @param part where the schema applies: `body`, `querystring`, `params` or `headers`
 */
export function describeSchemaError(error: ErrorObject | undefined, part: string): string {
  if (!error) return `The ${part} is not valid.`
  const path = readablePath(error.instancePath)
  const parameters = error.params as Parameters
  if (error.keyword === 'required') return `${join(path, String(parameters['missingProperty']))} is required.`
  const name = path === '' ? `the ${part}` : path
  const sentence = sentences[error.keyword]
  return sentence ? `${sentence(name, parameters, error.message ?? '')}.` : `${name} ${error.message ?? 'is not valid'}.`
}

import { sensitiveKeyword } from '../../platform/http/schemas.ts'

/** What stands for a value that is not kept. */
export const hiddenValue = '•••'

const textLengthMax = 300
const entriesMax = 20

/** The part of a JSON schema that says what may be kept. */
type Shape = {
  readonly properties?: Readonly<Record<string, Shape>>
  readonly additionalProperties?: Shape | boolean
  readonly items?: Shape
  readonly anyOf?: readonly Shape[]
  readonly enum?: readonly unknown[]
  readonly pattern?: string
  readonly [sensitiveKeyword]?: true
}

/**
 * A key of this service, or the number of a Ghana Card: in whichever field it was sent, it is not kept. The pattern begins
 * with fixed letters, so that a caller cannot make it slow with a long text.
 */
const secretInText = /_live_\w{8,}|GHA-?\d{9}-?\d/i

const compiled = new Map<string, RegExp>()

/**
 * Whether a field accepts a text. A text that it does not accept is not kept, because a secret may have been sent in
 * the wrong field.
 */
function isOfShape({ enum: values, pattern }: Shape, text: string): boolean {
  if (values) return values.includes(text)
  if (pattern === undefined) return true
  const known = compiled.get(pattern) ?? new RegExp(pattern, 'u')
  compiled.set(pattern, known)
  return known.test(text)
}

function keepText(text: string): string {
  if (secretInText.test(text)) return hiddenValue
  return text.length > textLengthMax ? `${text.slice(0, textLengthMax)}…` : text
}

/**
 * One shape with the fields of several, for a value that may have any of these. A field is sensitive if one of them
 * calls it so.
 */
function mergeShapes(shapes: readonly Shape[]): Shape {
  const properties: Record<string, Shape> = {}
  for (const shape of shapes) {
    for (const [name, field] of Object.entries(shape.properties ?? {})) {
      if (properties[name]?.[sensitiveKeyword] !== true) properties[name] = field
    }
  }
  return Object.keys(properties).length > 0 ? { properties } : {}
}

function redactEntries(items: Shape, entries: readonly unknown[]): unknown[] {
  const kept = entries.slice(0, entriesMax).map((entry) => redact(items, entry))
  return entries.length > entriesMax ? [...kept, `… ${entries.length - entriesMax} more`] : kept
}

function redactFields({ properties, additionalProperties }: Shape, value: object): Record<string, unknown> {
  const fields = value as Record<string, unknown>
  const known = Object.entries(properties ?? {}).filter(([name]) => Object.hasOwn(fields, name))
  const kept = known.map(([name, shape]) => [name, redact(shape, fields[name])] as const)
  if (typeof additionalProperties !== 'object') return Object.fromEntries(kept)
  const others = Object.keys(fields).filter((name) => !Object.hasOwn(properties ?? {}, name))
  const named = others.slice(0, entriesMax).map((name) => [keepText(name), redact(additionalProperties, fields[name])] as const)
  return Object.fromEntries([...kept, ...named])
}

/**
 * Keeps the part of a value that its schema knows and does not mark as sensitive. Fields that the schema does not know
 * are left out, because nobody has decided about them. An object or a list where the schema knows none is hidden as a
 * whole; so is a plain value where the schema wants an object or a list, and a text that its field does not accept. A
 * number in the place of a text is kept. Long texts and lists are cut.
 */
export function redact(schema: object, value: unknown): unknown {
  const shape = schema as Shape
  if (value === null || value === undefined) return value
  if (shape[sensitiveKeyword]) return hiddenValue
  if (shape.anyOf) return redact(mergeShapes(shape.anyOf), value)
  if (Array.isArray(value)) return shape.items ? redactEntries(shape.items, value) : hiddenValue
  if (typeof value === 'object') {
    return shape.properties || shape.additionalProperties ? redactFields(shape, value) : hiddenValue
  }
  // Where an object or a list belongs, a plain value may be anything and is hidden, except for a field that takes a
  // text or a list.
  if (shape.properties || (shape.items && !acceptsText(shape))) return hiddenValue
  if (typeof value !== 'string') return value
  return isOfShape(shape, value) ? keepText(value) : `${hiddenValue} (${value.length} characters that the field does not take)`
}

function acceptsText(shape: object): boolean {
  const { type } = shape as { type?: string | readonly string[] }
  return Array.isArray(type) && type.includes('string')
}

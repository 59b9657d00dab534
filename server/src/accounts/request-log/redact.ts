import { sensitiveKeyword } from '../../platform/http/schemas.ts'

/** The text in place of a value that is not kept. */
export const hiddenValue = '•••'

const textLengthMax = 300
const entriesMax = 20

/** The keywords of a JSON schema that decide what is kept. */
type Shape = {
  readonly properties?: Readonly<Record<string, Shape>>
  readonly additionalProperties?: Shape | boolean
  readonly items?: Shape
  readonly anyOf?: readonly Shape[]
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly pattern?: string
  readonly [sensitiveKeyword]?: true
}

/**
 * A key of this service, or the number of a Ghana Card. A text with one of them is hidden in every field. Both alternatives of
 * the pattern begin with fixed characters, so that a caller cannot make it slow with a long text.
 */
const secretInText = /_(?:live|test)_\w{8,}|GHA-?\d{9}-?\d/i

export const holdsSecret = (text: string): boolean => secretInText.test(text)

const compiled = new Map<string, RegExp>()

/**
 * True when a field accepts a text. A text that it does not accept is not kept, because a secret may have been sent in the
 * wrong field.
 */
function isOfShape({ enum: values, const: only, pattern }: Shape, text: string): boolean {
  if (only !== undefined) return only === text
  if (values) return values.includes(text)
  if (pattern === undefined) return true
  const known = compiled.get(pattern) ?? new RegExp(pattern, 'u')
  compiled.set(pattern, known)
  return known.test(text)
}

function keepText(text: string): string {
  if (holdsSecret(text)) return hiddenValue
  return text.length > textLengthMax ? `${text.slice(0, textLengthMax)}…` : text
}

const shapesOf = (shape: Shape): readonly Shape[] => shape.anyOf?.flatMap(shapesOf) ?? [shape]

const eitherOf = (one: Shape | undefined, other: Shape): Shape => (one ? { anyOf: [one, other] } : other)

/**
 * Merges shapes into one that has the fields and the entries of all of them, for an object or a list that may have any of these
 * shapes.
 */
function mergeShapes(shapes: readonly Shape[]): Shape {
  const properties: Record<string, Shape> = {}
  let additional: Shape | undefined
  let items: Shape | undefined
  for (const shape of shapes) {
    for (const [name, field] of Object.entries(shape.properties ?? {})) properties[name] = eitherOf(properties[name], field)
    if (typeof shape.additionalProperties === 'object') additional = eitherOf(additional, shape.additionalProperties)
    if (shape.items) items = eitherOf(items, shape.items)
  }
  return {
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(additional && { additionalProperties: additional }),
    ...(items && { items }),
  }
}

/** Chooses the shape for a value that may have any of several. If one of these is sensitive, so is the value. */
function shapeFor(shapes: readonly Shape[], value: unknown): Shape {
  const secret = shapes.find((shape) => shape[sensitiveKeyword])
  if (secret) return secret
  const merged = mergeShapes(shapes)
  if (typeof value === 'object') return merged
  const plain = shapes.filter((shape) => !takesParts(shape))
  if (typeof value !== 'string') return plain[0] ?? merged
  const texts = plain.filter(acceptsText)
  // A text that no shape accepts is hidden: an empty list of allowed values accepts nothing.
  return texts.find((shape) => isOfShape(shape, value)) ?? { enum: [] }
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
 * Keeps the part of a value that its schema knows and does not mark as sensitive. Fields that the schema does not know are left
 * out, because nobody has decided about them. An object or a list is hidden as a whole where the schema has none. A plain value
 * is hidden where the schema has an object or a list. A text is hidden where its field does not accept it; a number there is
 * kept. Long texts and lists are cut.
 */
export function redact(schema: object, value: unknown): unknown {
  const shape = schema as Shape
  if (value === null || value === undefined) return value
  if (shape[sensitiveKeyword]) return hiddenValue
  if (shape.anyOf) return redact(shapeFor(shapesOf(shape), value), value)
  if (Array.isArray(value)) return shape.items ? redactEntries(shape.items, value) : hiddenValue
  if (typeof value === 'object') {
    return shape.properties || shape.additionalProperties ? redactFields(shape, value) : hiddenValue
  }
  // Where an object or a list is expected, a plain value may be anything, so it is hidden; except in a field that takes a text
  // or a list.
  if (takesParts(shape)) return hiddenValue
  if (typeof value !== 'string') return value
  return isOfShape(shape, value) ? keepText(value) : `${hiddenValue} (${value.length} characters that the field does not take)`
}

function acceptsText({ type }: Shape): boolean {
  return type === undefined || type === 'string' || (Array.isArray(type) && type.includes('string'))
}

/** True when a value must be an object or a list. A list's field may take a text as well, if its types allow it. */
function takesParts(shape: Shape): boolean {
  return shape.properties !== undefined || (shape.items !== undefined && (shape.type === undefined || !acceptsText(shape)))
}

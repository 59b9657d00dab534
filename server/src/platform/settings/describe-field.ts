/** The input of a value on a screen. Fields that a kind does not need are left out. */
export type SettingField = {
  readonly kind: 'switch' | 'choice' | 'number' | 'text' | 'choices' | 'texts' | 'numbers' | 'rows' | 'json'
  /** The words to choose from: one of them (`choice`) or several (`choices`). */
  readonly choices?: readonly (string | number)[]
  /** The bounds of a number, of each of the `numbers`, or of how many `texts`, `choices` or `rows` there may be. */
  readonly least?: number
  readonly most?: number
  readonly is_whole?: boolean
  /** True: the value may be null. */
  readonly may_be_empty?: boolean
  readonly length_max?: number
  /** The names of the `numbers`, each of which may be left out. */
  readonly names?: readonly string[]
  /** Only where the kind is `rows`. */
  readonly columns?: readonly (SettingField & { readonly name: string; readonly is_optional: boolean })[]
}

/** The keywords of JSON schemas that settings use. */
type Schema = {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly const?: string | number
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly maxLength?: number
}

const bounds = (least: number | undefined, most: number | undefined) => ({
  ...(least !== undefined && { least }),
  ...(most !== undefined && { most }),
})

/** The literals of a union, or the words of an enumeration. */
function choicesOf({ enum: words, anyOf, const: only }: Schema): readonly (string | number)[] | undefined {
  if (words) return words
  if (only !== undefined) return [only]
  const each = anyOf?.map((part) => part.const)
  return each?.every((word) => word !== undefined) ? each : undefined
}

function describeUnion(parts: readonly Schema[]): SettingField {
  const [first, ...others] = parts.filter(({ type }) => type !== 'null')
  if (!first || others.length > 0 || parts.length !== 2) return { kind: 'json' }
  const field = describeField(first)
  return field.kind === 'number' || field.kind === 'text' ? { ...field, may_be_empty: true } : { kind: 'json' }
}

function describeList({ items = {}, minItems, maxItems }: Schema): SettingField {
  const choices = choicesOf(items)
  const counted = bounds(minItems, maxItems)
  if (choices) return { kind: 'choices', choices, ...counted }
  if (items.type === 'string') return { kind: 'texts', ...counted }
  const columns = Object.entries(items.properties ?? {}).map(([name, schema]) => ({
    ...describeField(schema),
    name,
    is_optional: !items.required?.includes(name),
  }))
  const isFlat = columns.length > 0 && columns.every(({ kind }) => ['switch', 'choice', 'number', 'text'].includes(kind))
  return isFlat ? { kind: 'rows', columns, ...counted } : { kind: 'json' }
}

function describeObject({ properties = {} }: Schema): SettingField {
  const fields = Object.values(properties).map(describeField)
  const [first] = fields
  if (!first || fields.some(({ kind }) => kind !== 'number')) return { kind: 'json' }
  return {
    kind: 'numbers',
    names: Object.keys(properties),
    is_whole: first.is_whole === true,
    ...bounds(first.least, first.most),
  }
}

/** Describes the input for a value of this JSON schema. Where no other kind fits, the kind is `json`. */
export function describeField(schema: Schema): SettingField {
  const choices = choicesOf(schema)
  if (choices) return { kind: 'choice', choices }
  if (schema.anyOf) return describeUnion(schema.anyOf)
  const { type, minimum, maximum, maxLength } = schema
  if (type === 'boolean') return { kind: 'switch' }
  if (type === 'number' || type === 'integer') {
    return { kind: 'number', is_whole: type === 'integer', ...bounds(minimum, maximum) }
  }
  if (type === 'string') return { kind: 'text', ...(maxLength !== undefined && { length_max: maxLength }) }
  if (type === 'array') return describeList(schema)
  return type === 'object' ? describeObject(schema) : { kind: 'json' }
}

import Type, { type Static, type TSchema } from 'typebox'
import { codecOf, isNeededAtDesk, type WireCodec, wireNameMarkOf } from './fields.ts'
import type { Given } from './operation.ts'

/** `pricePesewas` is `price` on the wire, `createdAt` is `created_at`. */
export function wireNameOf(name: string, schema: TSchema): string {
  const unit = codecOf(schema)?.unit
  const bare = unit !== undefined && name.endsWith(unit) ? name.slice(0, -unit.length) : name
  return wireNameMarkOf(schema) ?? bare.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** The form that a value of the code has in JSON: with the wire's names, moments as texts and amounts in GHS. */
export type Wire = {
  /** The schema for validators, serializers and the document. */
  readonly schema: TSchema
  /** True when JSON has the names and values of the code. */
  readonly isSame: boolean
  /** Leaves out what the schema does not name. @throws TypeError when a required field is missing */
  encode(value: unknown): unknown
  /** @throws RefusalError 400 for a value that has the right type and is wrong all the same */
  decode(json: unknown): unknown
}

const asItIs = (value: unknown) => value

/** Remembers what was derived from each schema, because most schemas are used by several routes. */
const derived = { atDesk: new WeakMap<TSchema, Wire>(), elsewhere: new WeakMap<TSchema, Wire>() }

/** Derives the wire's form from a schema in the names and types of the code. */
export function wireOf(schema: TSchema, { isAtDesk = false } = {}): Wire {
  const known = isAtDesk ? derived.atDesk : derived.elsewhere
  const wire = known.get(schema) ?? deriveWire(schema, isAtDesk)
  known.set(schema, wire)
  return wire
}

function deriveWire(schema: TSchema, isAtDesk: boolean): Wire {
  if (hasFields(schema)) return wireOfObject(schema, isAtDesk)
  if (Type.IsArray(schema)) {
    const item = wireOf(schema.items, { isAtDesk })
    const each = (way: 'encode' | 'decode') => (values: unknown) => (values as unknown[]).map((value) => item[way](value))
    return { schema: { ...schema, items: item.schema }, isSame: item.isSame, encode: each('encode'), decode: each('decode') }
  }
  if (Type.IsUnion(schema)) return wireOfUnion(schema, isAtDesk)
  if (Type.IsLiteral(schema)) return { schema, isSame: true, encode: () => schema.const, decode: asItIs }
  const codec = codecOf(schema) as WireCodec<unknown> | undefined
  if (!codec) return { schema, isSame: true, encode: asItIs, decode: asItIs }
  return {
    schema,
    isSame: false,
    encode: (value) => (value === null ? null : codec.encode(value)),
    decode: (json) => (json === null ? null : codec.decode(json as never)),
  }
}

function wireOfUnion(schema: Type.TUnion, isAtDesk: boolean): Wire {
  const branches = schema.anyOf.map((branch) => wireOf(branch, { isAtDesk }))
  const [some, ...others] = branches.filter((_, index) => !Type.IsNull(schema.anyOf[index]))
  const isSame = branches.every((branch) => branch.isSame)
  if (isSame) return { schema, isSame, encode: asItIs, decode: asItIs }
  if (!some || others.length > 0) throw new Error('Only null may stand beside a shape: which other one is meant nobody can tell.')
  return {
    schema: { ...schema, anyOf: branches.map((branch) => branch.schema) },
    isSame,
    encode: (value) => (value === null ? null : some.encode(value)),
    decode: (json) => (json === null ? null : some.decode(json)),
  }
}

type WithFields = TSchema & { readonly properties: Readonly<Record<string, TSchema>>; readonly required?: readonly string[] }

/** True for schemas of objects, also of objects that may be null. */
const hasFields = (schema: TSchema): schema is WithFields => 'properties' in schema

function wireOfObject(schema: WithFields, isAtDesk: boolean): Wire {
  const fields = Object.entries(schema.properties).map(([name, field]) => ({
    name,
    wireName: wireNameOf(name, field),
    wire: wireOf(field, { isAtDesk }),
    isLiteral: Type.IsLiteral(field),
    isNeeded: (schema.required ?? []).includes(name) || (isAtDesk && isNeededAtDesk(field)),
  }))
  const properties = Object.fromEntries(fields.map(({ wireName, wire }) => [wireName, wire.schema]))
  const required = fields.filter(({ isNeeded }) => isNeeded).map(({ wireName }) => wireName)
  return {
    schema: { ...schema, ...(required.length > 0 && { required }), properties },
    isSame: fields.every(({ name, wireName, wire }) => name === wireName && wire.isSame),
    encode(value) {
      if (value === null) return null
      const json: Record<string, unknown> = {}
      for (const { name, wireName, wire, isLiteral, isNeeded } of fields) {
        const given = isLiteral ? undefined : (value as Record<string, unknown>)[name]
        if (given !== undefined || isLiteral) json[wireName] = wire.encode(given)
        else if (isNeeded) throw new TypeError(`${name} is missing`)
      }
      return json
    },
    decode(json) {
      if (json === null) return null
      const value: Record<string, unknown> = {}
      for (const { name, wireName, wire } of fields) {
        const given = (json as Record<string, unknown>)[wireName]
        if (given !== undefined) value[name] = wire.decode(given)
      }
      return value
    },
  }
}

/** Converts a value of the code into JSON's form, where no operation does so. */
export function toWire<Schema extends TSchema>(schema: Schema, value: Given<Static<Schema>>): unknown {
  return wireOf(schema).encode(value)
}

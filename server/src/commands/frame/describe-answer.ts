import Type, { type TSchema } from 'typebox'
import { codecOf, type WireCodec } from '../../platform/operations/fields.ts'
import { wireNameOf } from '../../platform/operations/wire.ts'
import { layOutTable } from '../../platform/texts-for-people.ts'

const labelOf = (name: string, schema: TSchema) => wireNameOf(name, schema).replaceAll('_', ' ')

function describeValue(value: unknown, schema: TSchema): string {
  if (value === null || value === undefined) return '–'
  const codec = codecOf(schema) as WireCodec<unknown> | undefined
  if (codec) return codec.show(value)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function describeTable(rows: readonly Readonly<Record<string, unknown>>[], columns: readonly [string, TSchema][]): string {
  if (rows.length === 0) return 'There is none.'
  const cells = rows.map((row) => columns.map(([name, schema]) => describeValue(row[name], schema)))
  return layOutTable([columns.map(([name, schema]) => labelOf(name, schema)), ...cells], 'words')
}

/** Formats the answer of an operation for people, by its schema: a list as a table, anything else as facts with its lists below. */
export function describeAnswer(schema: TSchema, answer: unknown): string {
  if (Type.IsArray(schema) && Type.IsObject(schema.items)) {
    return describeTable(answer as [], Object.entries(schema.items.properties))
  }
  if (!Type.IsObject(schema)) return describeValue(answer, schema)
  const fields = Object.entries(schema.properties)
  const isInFull = ([, field]: [string, TSchema]) => Type.IsObject(field) || (Type.IsArray(field) && Type.IsObject(field.items))
  const valueOf = (name: string) => (answer as Readonly<Record<string, unknown>>)[name]
  const facts = fields
    .filter((field) => !isInFull(field))
    .map(([name, field]) => [labelOf(name, field), describeValue(valueOf(name), field)])
  const parts = fields
    .filter(isInFull)
    .map(([name, field]) => `\n${labelOf(name, field)}:\n${describeAnswer(field, valueOf(name))}`)
  return [...(facts.length > 0 ? [layOutTable(facts, 'words')] : []), ...parts].join('\n').trimStart()
}

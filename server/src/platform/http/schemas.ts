import type { Readable } from 'node:stream'
import Type, { type TNumberOptions, type TSchema, type TSchemaOptions } from 'typebox'
import { decimalsKeyword } from './describe-schema-error.ts'
import { ourCenturyPattern, plainTextPattern } from './document/patterns-in-words.ts'

/** Marks a field whose values no log holds, not even the caller's own. */
export const sensitiveKeyword = 'x-sensitive'

/** Options of a schema for PINs, ID numbers, names, texts of messages. */
export const sensitive = { [sensitiveKeyword]: true } as const

/** A string out of a fixed list. TypeBox's union of literals would become an `anyOf`, which reads badly in OpenAPI. */
export function OneOf<const Values extends readonly string[]>(values: Values, options: TSchemaOptions = {}) {
  return Type.Unsafe<Values[number]>({ ...options, type: 'string', enum: [...values] })
}

/** The same schema with null allowed, written as a list of types instead of an `anyOf`. */
export function Nullable<Schema extends TSchema & { type: string }>(schema: Schema) {
  return Type.Unsafe<Type.Static<Schema> | null>({ ...schema, type: [schema.type, 'null'] })
}

export const Uuid = (options: TSchemaOptions = {}) => Type.String({ ...options, format: 'uuid' })

/** A moment: ISO 8601 in UTC with milliseconds and `Z` (decision F9). */
export const Moment = (options: TSchemaOptions = {}) => Type.String({ ...options, format: 'date-time' })

/**
 * A moment that a caller chooses, such as that of a filter: in the years 2000 to 2099. Any other year is a mistake, and some
 * calendars and databases do not have it.
 */
export const AskedMoment = (options: TSchemaOptions = {}) => Moment({ ...options, pattern: ourCenturyPattern })

/** A day that a caller chooses, `2027-01-31`; see `AskedMoment`. */
export const AskedDay = (options: TSchemaOptions = {}) =>
  Type.String({ examples: ['2027-01-31'], ...options, format: 'date', pattern: ourCenturyPattern })

/**
 * A field of a body that may be left out. Null is the same as leaving it out (decision A10: how requests are read): the
 * type in the document allows null, and the validator removes the field, so that no handler ever sees null.
 */
export function Omissible<Schema extends TSchema & { type: string }>(schema: Schema) {
  return Type.Optional(Type.Unsafe<Type.Static<Schema>>({ ...schema, type: [schema.type, 'null'] }))
}

/** An amount in a request, in GHS: above 0, with at most 2 decimals. */
export const GhsAmount = (options: TNumberOptions) => Type.Number({ exclusiveMinimum: 0, [decimalsKeyword]: 2, ...options })

/** The schema of an answer that is a file, such as `text/csv`. */
export const FileOf = (mediaType: string) => ({
  content: { [mediaType]: { schema: Type.Unsafe<Readable>({ type: 'string', format: 'binary' }) } },
})

export const GivenReason = Type.String({
  minLength: 1,
  maxLength: 500,
  pattern: plainTextPattern,
  description: 'Why, in your own words. The operator’s log keeps it.',
})

export const ReasonBody = Type.Object({ reason: GivenReason })

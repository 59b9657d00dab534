import Type, { type TSchema, type TSchemaOptions, type TStringOptions, type TUnsafe } from 'typebox'
import { ourCenturyPattern } from '../http/document/patterns-in-words.ts'
import { AskedDay } from '../http/schemas.ts'

/** Converts a value of the code into its form on the wire and back, where JSON has no such value. */
export type WireCodec<Value = never> = {
  encode(value: Value): string | number
  /** @throws RefusalError 400 for a value that has the right type and is wrong all the same */
  decode(json: never): Value
  /** Formats the value for people. */
  show(value: Value): string
  /** The unit at the end of a field's name in the code, such as `Pesewas`. The name on the wire is without it. */
  readonly unit?: string
}

// Marks of a schema are symbols, so that they are copied with it and appear in no document.
const codecMark = Symbol('codec')
const nameMark = Symbol('name on the wire')
const deskMark = Symbol('needed at the desk')

const exactMark = Symbol('exact')
const optionMark = Symbol('option')
const helpMark = Symbol('help')
const noOptionMark = Symbol('no option')

type Marked = {
  readonly [codecMark]?: WireCodec
  readonly [nameMark]?: string
  readonly [deskMark]?: true
  readonly [exactMark]?: true
  readonly [optionMark]?: string
  readonly [helpMark]?: string
  readonly [noOptionMark]?: true
}

/** Copies a schema with a mark. A spread would lose its kind, which is not enumerable. */
const marked = <Schema extends TSchema>(schema: Schema, mark: Marked): Schema =>
  Object.assign(Object.defineProperties({}, Object.getOwnPropertyDescriptors(schema)) as Schema, mark)

export const codecOf = (schema: TSchema): WireCodec | undefined => (schema as Marked)[codecMark]

/** The schema of a value that has another type in the code than on the wire. */
export function WithCodec<Value>(schema: TSchemaOptions & { readonly type: string }, codec: WireCodec<Value>) {
  return Type.Unsafe<Value>({ ...schema, [codecMark]: codec }) as TUnsafe<Value> & { type: string }
}

export const momentCodec: WireCodec<Date> = {
  encode: (moment) => moment.toISOString(),
  decode: (text: string) => new Date(text),
  show: (moment) => moment.toISOString(),
}

/** A moment: a `Date` in the code, ISO 8601 in UTC on the wire (decision F9). */
export const Timestamp = (options: TSchemaOptions = {}) =>
  WithCodec({ ...options, type: 'string', format: 'date-time' } as const, momentCodec)

export const dayCodec: WireCodec<Date> = {
  encode: (day) => day.toISOString().slice(0, 10),
  decode: (text: string) => new Date(`${text}T00:00:00Z`),
  show: (day) => day.toISOString().slice(0, 10),
}

/** A day that a person enters: its first instant in the code. On the command line a moment may be typed too. */
export const Day = (options: TSchemaOptions = {}) => WithCodec({ ...AskedDay(options), type: 'string' } as const, dayCodec)

/** A moment that a person enters, see `AskedMoment`. */
export const AskedTimestamp = (options: TSchemaOptions = {}) => Timestamp({ ...options, pattern: ourCenturyPattern })

/** A field whose name on the wire is not derived from its name in the code. */
export function WithWireName<Schema extends TSchema>(name: string, schema: Schema): Schema {
  return marked(schema, { [nameMark]: name })
}

/** A field that the desk must send and a command may leave out. */
export function NeededAtDesk<Schema extends TSchema>(schema: Schema) {
  return Type.Optional<Schema>(marked(schema, { [deskMark]: true }))
}

export const isNeededAtDesk = (schema: TSchema): boolean => (schema as Marked)[deskMark] === true

/** A field that the desk must send and a command has no option for, such as the reference that a page makes. */
export function AtDeskOnly<Schema extends TSchema>(schema: Schema) {
  return NeededAtDesk<Schema>(marked(schema, { [noOptionMark]: true }))
}

export const isAtDeskOnly = (schema: TSchema): boolean => (schema as Marked)[noOptionMark] === true

/** A field whose option on the command line has another name than the field has on the wire. */
export function WithOptionName<Schema extends TSchema>(name: string, schema: Schema): Schema {
  return marked(schema, { [optionMark]: name })
}

export const optionNameOf = (schema: TSchema): string | undefined => (schema as Marked)[optionMark]

/** A field with its own text in the help of the command line, in place of the description in the document. */
export function WithHelp<Schema extends TSchema>(help: string, schema: Schema): Schema {
  return marked(schema, { [helpMark]: help })
}

export const helpOf = (schema: TSchema): string => (schema as Marked)[helpMark] ?? (schema as TSchemaOptions).description ?? ''

/** A text that is kept and compared exactly as it was typed, such as the number of a receipt. Others are trimmed. */
export const ExactText = (options: TStringOptions = {}) =>
  Type.String({ minLength: 1, maxLength: 200, ...options, [exactMark]: true })

export const isExact = (schema: TSchema): boolean => (schema as Marked)[exactMark] === true

/** The wire name that `WithWireName` gave to the field, if any. */
export const wireNameMarkOf = (schema: TSchema): string | undefined => (schema as Marked)[nameMark]

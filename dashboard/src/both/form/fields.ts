import { type AmountKind, mustReadAmount, readAmount } from '../money/read-amount.ts'

type Named = {
  readonly label: string | ((typed: TypedTexts) => string)
  readonly help?: string | undefined
  /** Decides by the texts of the form whether the field is shown. A hidden field keeps its first value. */
  readonly isShown?: (typed: TypedTexts) => boolean
}

/** A typed text, or a day or a moment, as the browser's fields write them. */
type TextField = Named & {
  readonly kind: 'text' | 'email' | 'date' | 'datetime-local' | 'password'
  readonly initial?: string | undefined
  readonly isNeeded?: boolean
  readonly lengthMin?: number
  readonly lengthMax?: number
  readonly pattern?: string
  /** How many lines the field has, for a longer text. */
  readonly lines?: number
  readonly placeholder?: string
  readonly inputMode?: 'numeric' | 'tel'
  readonly autoComplete?: string
  readonly autoCapitalize?: 'none' | 'characters'
  /** True when the form may be sent with this text. Not asked of an empty text. */
  readonly isReady?: (text: string) => boolean
  /** Says why the text is refused; undefined when it is not. */
  readonly problem?: (text: string) => string | undefined
}
type ChoiceField = Named & {
  readonly kind: 'choice'
  readonly options: readonly { readonly value: string; readonly label: string }[]
  readonly initial?: string | undefined
}
/** Any number of choices. */
type TicksField = Named & {
  readonly kind: 'ticks'
  readonly options: readonly { readonly value: string; readonly label: string }[]
  readonly initial?: readonly string[]
}
type TickField = Named & { readonly kind: 'tick'; readonly initial?: boolean }
type AmountField = Named & {
  readonly kind: 'amount'
  readonly of: AmountKind | ((typed: TypedTexts) => AmountKind)
  readonly initial?: number | null | undefined
  /** True when the field may be empty. Its number is then undefined. */
  readonly isOptional?: boolean
}

export type Field = TextField | ChoiceField | TicksField | TickField | AmountField
export type Fields = Readonly<Record<string, Field>>

/** The texts of a form's fields by their names. A tick is `yes` or empty; several choices are on one line each. */
export type TypedTexts = Readonly<Record<string, string>>

type ValueOf<F extends Field, NoAmount> = F extends TickField
  ? boolean
  : F extends TicksField
    ? string[]
    : F extends AmountField
      ? number | (F extends { readonly isOptional: true } ? undefined : NoAmount)
      : F extends { readonly options: readonly { readonly value: infer Value }[] }
        ? Value
        : string

/** The values of fields that a form sends. Texts are trimmed. */
export type Values<F extends Fields> = { readonly [Name in keyof F]: ValueOf<F[Name], never> }
/** The values while somebody types. A number that is missing or refused is undefined. */
export type Drafted<F extends Fields> = { readonly [Name in keyof F]: ValueOf<F[Name], undefined> }

function initialText(field: Field): string {
  if (field.kind === 'tick') return field.initial ? 'yes' : ''
  if (field.kind === 'ticks') return (field.initial ?? []).join('\n')
  if (field.kind === 'choice') return field.initial ?? field.options[0]?.value ?? ''
  return String(field.initial ?? '')
}

export const initialTexts = (fields: Fields): TypedTexts =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, initialText(field)]))

export const kindOfAmount = ({ of }: AmountField, typed: TypedTexts): AmountKind => (typeof of === 'function' ? of(typed) : of)

export const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '')

const isHidden = ({ isShown }: Field, typed: TypedTexts): boolean => isShown?.(typed) === false

/** Makes a function that reads the values of a form. `amountOf` reads the numbers. */
const readBy =
  (amountOf: (text: string, field: AmountField, typed: TypedTexts) => number | undefined) =>
  (fields: Fields, typed: TypedTexts) =>
    Object.fromEntries(
      Object.entries(fields).map(([name, field]) => {
        const text = isHidden(field, typed) ? initialText(field) : (typed[name] ?? '')
        if (field.kind === 'tick') return [name, text === 'yes']
        if (field.kind === 'ticks') return [name, linesOf(text)]
        return [name, field.kind === 'amount' ? amountOf(text, field, typed) : text.trim()]
      }),
    )

export const readDraft = readBy((text, field, typed) => readAmount(text, kindOfAmount(field, typed)).amount) as <
  F extends Fields,
>(
  fields: F,
  typed: TypedTexts,
) => Drafted<F>

/** Reads the values of a form that is sent. @throws Error with the reason, when a number is refused, or missing where needed */
export const readValues = readBy((text, field, typed) =>
  text.trim() === '' && field.isOptional ? undefined : mustReadAmount(text, kindOfAmount(field, typed)),
) as <F extends Fields>(fields: F, typed: TypedTexts) => Values<F>

import { readAmount } from '../../both/money/read-amount.ts'
import { type Field, kindOfNumber, type Setting, unitOfColumn } from './show-value.ts'

/** A row of a list while it is typed: texts, and ticks. */
export type RowDraft = Readonly<Record<string, string | boolean>>

/** A value while it is typed. */
export type Draft = string | boolean | readonly (string | number)[] | Readonly<Record<string, string>> | readonly RowDraft[]

type Column = NonNullable<Field['columns']>[number]

const textOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

function draftCell({ name, kind }: Column, row: Record<string, unknown>): string | boolean {
  return kind === 'switch' ? row[name] === true : textOf(row[name])
}

export function emptyRow(columns: readonly Column[]): RowDraft {
  return Object.fromEntries(columns.map(({ name, kind, choices }) => [name, kind === 'switch' ? false : textOf(choices?.[0])]))
}

type Kind = Field['kind']

const toDraft: Readonly<Record<Kind, (field: Field, value: unknown) => Draft>> = {
  switch: (_field, value) => value === true,
  choice: (_field, value) => textOf(value),
  number: (_field, value) => textOf(value),
  text: (_field, value) => textOf(value),
  choices: (_field, value) => value as (string | number)[],
  texts: (_field, value) => (value as string[]).join('\n'),
  numbers: (_field, value) =>
    Object.fromEntries(Object.entries(value as Record<string, number>).map(([name, each]) => [name, String(each)])),
  rows: ({ columns = [] }, value) =>
    (value as Record<string, unknown>[]).map((row) =>
      Object.fromEntries(columns.map((column) => [column.name, draftCell(column, row)])),
    ),
  json: (_field, value) => JSON.stringify(value, null, 2),
}

/** The texts or rows with which a field begins, made from the present value. */
export const draftOf = (field: Field, value: unknown): Draft => toDraft[field.kind](field, value)

/** Reads a typed number. An unreadable text is returned as it is: the form does not send it, and the server would refuse it. */
function numberOf(text: string, field: Partial<Field>, unit: string | null): unknown {
  return readAmount(text, kindOfNumber(field, unit)).amount ?? text
}

function cellOf(column: Column, row: RowDraft): [string, unknown][] {
  const { name, kind, is_optional } = column
  const cell = row[name]
  if (typeof cell === 'boolean') return cell || !is_optional ? [[name, cell]] : []
  if (is_optional && (cell === undefined || cell === '')) return []
  return [[name, kind === 'number' ? numberOf(cell ?? '', column, unitOfColumn(name)) : (cell ?? '')]]
}

const toLines = (draft: string): string[] =>
  draft
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

const toValue: Readonly<Record<Kind, (field: Field, draft: never, unit: string | null) => unknown>> = {
  switch: (_field, draft: boolean) => draft,
  choice: ({ choices }, draft: string) => choices?.find((choice) => String(choice) === draft) ?? draft,
  number: (field, draft: string, unit) => (draft === '' && field.may_be_empty ? null : numberOf(draft, field, unit)),
  text: (_field, draft: string) => draft,
  choices: ({ choices = [] }, draft: readonly (string | number)[]) => choices.filter((choice) => draft.includes(choice)),
  texts: (_field, draft: string) => toLines(draft),
  numbers: (field, draft: Record<string, string>, unit) =>
    Object.fromEntries(
      Object.entries(draft).flatMap(([name, text]) => (text.trim() === '' ? [] : [[name, numberOf(text, field, unit)]])),
    ),
  rows: ({ columns = [] }, draft: readonly RowDraft[]) =>
    draft.map((row) => Object.fromEntries(columns.flatMap((column) => cellOf(column, row)))),
  json: (_field, draft: string) => JSON.parse(draft) as unknown,
}

/** Makes a setting's value from the typed texts. @throws SyntaxError when a text should be JSON and is not */
export const valueOfDraft = ({ field, unit }: Pick<Setting, 'field' | 'unit'>, draft: Draft): unknown =>
  toValue[field.kind](field, draft as never, unit)

import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core'
import type { ComponentType } from 'react'
import type { Field as FormFieldData } from '../../both/form/fields.ts'
import { FormField } from '../../both/form/form-fields.tsx'
import { AmountField } from '../../both/money/amount-field.tsx'
import { switchWords } from '../words/switches.ts'
import { type Draft, emptyRow, type RowDraft } from './drafts.ts'
import { kindOfNumber, type Setting, unitOfColumn } from './show-value.ts'
import css from './switches.module.css'

type Props = {
  readonly setting: Pick<Setting, 'field' | 'unit'>
  readonly draft: Draft
  readonly onChange: (draft: Draft) => void
}

/** A field that takes a longer text than this, in characters, has several lines. */
const lineLengthMax = 300

function ChoicesField({ setting: { field }, draft, onChange }: Props) {
  const chosen = draft as readonly (string | number)[]
  return (
    <fieldset className={css.choices}>
      <legend>{switchWords.choose}</legend>
      {field.choices?.map((choice) => (
        <Checkbox
          key={choice}
          label={String(choice)}
          checked={chosen.includes(choice)}
          onChange={({ currentTarget }) =>
            onChange(currentTarget.checked ? [...chosen, choice] : chosen.filter((each) => each !== choice))
          }
        />
      ))}
    </fieldset>
  )
}

function NumbersField({ setting: { field }, draft, onChange }: Props) {
  const given = draft as Readonly<Record<string, string>>
  return (
    <fieldset className={css.numbers}>
      <legend>{switchWords.perMinute}</legend>
      {field.names?.map((name) => (
        <AmountField
          key={name}
          kind={kindOfNumber(field, null)}
          label={name}
          text={given[name] ?? ''}
          onText={(text) => onChange({ ...given, [name]: text })}
        />
      ))}
    </fieldset>
  )
}

type Column = NonNullable<Setting['field']['columns']>[number]

function Cell({
  column,
  row,
  onChange,
}: {
  readonly column: Column
  readonly row: RowDraft
  readonly onChange: (cell: string | boolean) => void
}) {
  const { name, kind, choices } = column
  const cell = row[name]
  const label = name.replaceAll('_', ' ')
  if (kind === 'switch') {
    return <Checkbox label={label} checked={cell === true} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />
  }
  const text = { label, value: typeof cell === 'string' ? cell : '' }
  if (kind === 'choice') {
    return (
      <NativeSelect {...text} data={choices?.map(String) ?? []} onChange={({ currentTarget }) => onChange(currentTarget.value)} />
    )
  }
  if (kind === 'number') {
    return <AmountField label={label} kind={kindOfNumber(column, unitOfColumn(name))} text={text.value} onText={onChange} />
  }
  return <TextInput {...text} onChange={({ currentTarget }) => onChange(currentTarget.value)} />
}

function RowsField({ setting: { field }, draft, onChange }: Props) {
  const rows = draft as readonly RowDraft[]
  const columns = field.columns ?? []
  return (
    <div>
      {rows.map((row, index) => (
        // A row that is being typed has no id other than its place.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={index} className={css.row}>
          {columns.map((column) => (
            <Cell
              key={column.name}
              column={column}
              row={row}
              onChange={(cell) => onChange(rows.with(index, { ...row, [column.name]: cell }))}
            />
          ))}
          <Button variant="subtle" size="compact-sm" color="red" onClick={() => onChange(rows.filter((each) => each !== row))}>
            {switchWords.removeRow(index + 1)}
          </Button>
        </div>
      ))}
      <Button variant="default" onClick={() => onChange([...rows, emptyRow(columns)])}>
        {switchWords.addRow}
      </Button>
    </div>
  )
}

/** The field of a form for a value that people type into one field, or choose from a list. */
function formFieldOf({ field, unit }: Props['setting']): FormFieldData {
  const label = unit === null ? switchWords.newValue : `${switchWords.newValue} (${unit})`
  if (field.kind === 'number') return { kind: 'amount', of: kindOfNumber(field, unit), label, isOptional: true }
  if (field.kind === 'choice') {
    const options = (field.choices ?? []).map(String).map((choice) => ({ value: choice, label: choice }))
    return { kind: 'choice', options, label: switchWords.newValue }
  }
  const isLong = field.kind !== 'text' || (field.length_max ?? 0) > lineLengthMax
  return {
    kind: 'text',
    label: switchWords.newValue,
    help: field.kind === 'texts' ? switchWords.oneEachLine : undefined,
    ...(isLong && { lines: 2 }),
  }
}

function PlainField({ setting, draft, onChange }: Props) {
  return <FormField field={formFieldOf(setting)} text={draft as string} typed={{}} onText={onChange} />
}

const ownFields: Readonly<Partial<Record<Setting['field']['kind'], ComponentType<Props>>>> = {
  choices: ChoicesField,
  numbers: NumbersField,
  rows: RowsField,
}

/** The field for a setting's new value, as its schema needs it. */
export function ValueField(props: Props) {
  const Field = ownFields[props.setting.field.kind] ?? PlainField
  return <Field {...props} />
}

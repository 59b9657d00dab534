import { Checkbox, NativeSelect, PasswordInput, Stack, Textarea, TextInput } from '@mantine/core'
import { AmountField } from '../money/amount-field.tsx'
import { type Field, type Fields, kindOfAmount, linesOf, type TypedTexts } from './fields.ts'
import css from './form.module.css'

type FieldProps = {
  readonly field: Field
  readonly text: string
  readonly typed: TypedTexts
  readonly onText: (text: string) => void
}

export function FormField({ field, text, typed, onText }: FieldProps) {
  const { label, help: description } = field
  const shared = {
    label: typeof label === 'function' ? label(typed) : label,
    ...(description !== undefined && { description }),
  }
  if (field.kind === 'tick') {
    const onChange = ({ currentTarget }: { readonly currentTarget: { readonly checked: boolean } }) =>
      onText(currentTarget.checked ? 'yes' : '')
    return <Checkbox {...shared} checked={text === 'yes'} onChange={onChange} />
  }
  if (field.kind === 'ticks') {
    return (
      <Checkbox.Group {...shared} value={linesOf(text)} onChange={(chosen) => onText(chosen.join('\n'))}>
        <Stack mt={8} gap={8}>
          {field.options.map((option) => (
            <Checkbox key={option.value} {...option} />
          ))}
        </Stack>
      </Checkbox.Group>
    )
  }
  if (field.kind === 'amount') {
    const kind = kindOfAmount(field, typed)
    return <AmountField {...shared} kind={kind} required={!field.isOptional} text={text} onText={onText} />
  }
  const onChange = ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) => onText(currentTarget.value)
  if (field.kind === 'choice') return <NativeSelect {...shared} data={[...field.options]} value={text} onChange={onChange} />
  const { kind, isNeeded = false, lengthMin, lengthMax, pattern, lines, placeholder, problem } = field
  const { inputMode, autoComplete = 'off', autoCapitalize } = field
  const own = {
    ...shared,
    required: isNeeded,
    value: text,
    onChange,
    error: problem?.(text),
    ...(lengthMin !== undefined && { minLength: lengthMin }),
    ...(lengthMax !== undefined && { maxLength: lengthMax }),
    ...(placeholder !== undefined && { placeholder }),
  }
  if (lines !== undefined) return <Textarea {...own} autosize minRows={lines} maxRows={14} />
  if (kind === 'password') return <PasswordInput {...own} autoComplete="new-password" />
  const isPlain = kind === 'text'
  return (
    <TextInput
      {...own}
      {...(!isPlain && { type: kind })}
      {...(kind === 'email' && { autoCapitalize: 'none', spellCheck: false })}
      {...(pattern !== undefined && { pattern })}
      {...(inputMode && { inputMode })}
      {...(autoCapitalize && { autoCapitalize })}
      autoComplete={autoComplete}
    />
  )
}

type Props = {
  readonly fields: Fields
  readonly typed: TypedTexts
  readonly onType: (name: string, text: string) => void
}

export function FormFields({ fields, typed, onType }: Props) {
  const shown = Object.entries(fields).filter(([, { isShown }]) => isShown?.(typed) ?? true)
  if (shown.length === 0) return null
  return (
    <div className={css.fields}>
      {shown.map(([name, field]) => (
        <FormField key={name} field={field} text={typed[name] ?? ''} typed={typed} onText={(text) => onType(name, text)} />
      ))}
    </div>
  )
}

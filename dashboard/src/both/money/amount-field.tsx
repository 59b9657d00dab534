import { TextInput, type TextInputProps } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import css from './amount-field.module.css'
import { type AmountKind, readAmount } from './read-amount.ts'

type Props = Omit<TextInputProps, 'value' | 'onChange' | 'inputMode' | 'type' | 'pattern'> & {
  readonly kind: AmountKind
  /** The text of the field, not yet read as a number. */
  readonly text: string
  readonly onText: (text: string) => void
}

/** Shows the understood number below the field, unless the person wrote it in the same way. */
const withUnderstood = (text: string, understood: string | undefined) => (field: ReactNode) => (
  <>
    {field}
    <output className={css.understood}>{understood === undefined || understood === text.trim() ? '' : `= ${understood}`}</output>
  </>
)

/**
 * The one field for typed numbers: amounts, prices, counts, percentages. Below it is the understood number, or the reason why the
 * text is refused; a form with a refused text is not sent.
 */
export function AmountField({ kind, text, onText, error, ...more }: Props) {
  const field = useRef<HTMLInputElement>(null)
  const { amount, problem } = readAmount(text, kind)
  useEffect(() => field.current?.setCustomValidity(problem ?? ''), [problem])
  return (
    <TextInput
      autoComplete="off"
      {...more}
      ref={field}
      data-amount
      inputMode={kind.decimals === 0 ? 'numeric' : 'decimal'}
      value={text}
      error={problem ?? error}
      inputContainer={withUnderstood(text, amount === undefined ? undefined : kind.show(amount))}
      onChange={({ currentTarget }) => onText(currentTarget.value)}
    />
  )
}

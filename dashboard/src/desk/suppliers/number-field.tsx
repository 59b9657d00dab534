import { useState } from 'react'
import { AmountField } from '../../both/money/amount-field.tsx'
import { type AmountKind, count, readAmount } from '../../both/money/read-amount.ts'

type Props = {
  readonly label: string
  readonly description?: string
  readonly placeholder?: string
  /** Empty for none. */
  readonly value: number | ''
  readonly onChange: (value: number | '') => void
}

const kind: AmountKind = { ...count, most: 999_999 }

/** A field for a whole number from 0. Any other text keeps its form from being sent. */
export function NumberField({ value, onChange, ...props }: Props) {
  const [text, setText] = useState(String(value))
  return (
    <AmountField
      mt={12}
      {...props}
      kind={kind}
      text={text}
      onText={(typed) => {
        setText(typed)
        onChange(readAmount(typed, kind).amount ?? '')
      }}
    />
  )
}

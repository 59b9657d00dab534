import { TextInput } from '@mantine/core'

type Props = {
  readonly label: string
  readonly description?: string
  readonly placeholder?: string
  /** The number; empty for none. */
  readonly value: number | ''
  readonly onChange: (value: number | '') => void
}

const digitsMax = 6

/** A field for a whole number from 0. Characters that are no digits are left out. */
export function NumberField({ value, onChange, ...props }: Props) {
  return (
    <TextInput
      mt={12}
      inputMode="numeric"
      {...props}
      value={value}
      onChange={({ currentTarget }) => {
        const digits = currentTarget.value.replaceAll(/\D/g, '').slice(0, digitsMax)
        onChange(digits === '' ? '' : Number(digits))
      }}
    />
  )
}

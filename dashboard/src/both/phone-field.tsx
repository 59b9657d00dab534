import { TextInput } from '@mantine/core'
import { bindText } from './form/typed.ts'
import { cleanPhone, groupDigits } from './phones.ts'

type Props = {
  readonly label: string
  readonly description?: string
  readonly required?: boolean
  readonly value: string
  readonly onType: (text: string) => void
}

/** A field for one's own phone number, which is shown in groups once it is typed. */
export function PhoneField({ label, description, required = false, value, onType }: Props) {
  return (
    <TextInput
      label={label}
      description={description}
      inputMode="tel"
      autoComplete="tel"
      required={required}
      {...bindText(value, onType)}
      onBlur={() => onType(groupDigits(cleanPhone(value)))}
    />
  )
}

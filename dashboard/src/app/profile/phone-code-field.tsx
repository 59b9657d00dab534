import { TextInput } from '@mantine/core'
import { bindText } from '../../both/form/typed.ts'
import { phoneWords as words } from '../words/phone.ts'

/** A field for the code in an SMS, which phones offer to fill in. */
export function PhoneCodeField({ value, onType }: { readonly value: string; readonly onType: (text: string) => void }) {
  return <TextInput label={words.code} inputMode="numeric" autoComplete="one-time-code" required {...bindText(value, onType)} />
}

import { PasswordInput, TextInput } from '@mantine/core'
import { bindText } from '../form/typed.ts'
import { signInWords } from './sign-in-words.ts'

type Typed = { readonly value: string; readonly onType: (text: string) => void }

export function EmailField({ value, onType }: Typed) {
  return (
    <TextInput
      label={signInWords.email}
      type="email"
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      required
      {...bindText(value, onType)}
    />
  )
}

export function PasswordField({ value, onType, label = signInWords.password }: Typed & { readonly label?: string }) {
  return <PasswordInput label={label} autoComplete="current-password" required {...bindText(value, onType)} />
}

/** The server refuses passwords with fewer characters. */
const passwordLengthMin = 10

/** The field for a new password. Its rules are shown before the first character is typed. */
export function NewPasswordField({ value, onType, label = signInWords.newPassword }: Typed & { readonly label?: string }) {
  return (
    <PasswordInput
      label={label}
      description={signInWords.newPasswordHelp}
      autoComplete="new-password"
      required
      minLength={passwordLengthMin}
      maxLength={128}
      {...bindText(value, onType)}
    />
  )
}

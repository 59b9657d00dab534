import { useState } from 'react'
import { post } from '../api/call-api.ts'
import { useAct } from '../api/use-read.ts'
import { EntryForm } from './entry-form.tsx'
import type { Face } from './face.ts'
import { NewPasswordField, PasswordField } from './fields.tsx'
import { signInWords } from './sign-in-words.ts'

/** Changes the password. Always asks for the present one. */
export function ChangePasswordForm({ face }: { readonly face: Face }) {
  const [current_password, setCurrent] = useState('')
  const [password, setPassword] = useState('')
  const changing = useAct(
    () => post(`${face}/change-password`, { current_password, password }),
    [],
    () => {
      setCurrent('')
      setPassword('')
    },
  )
  return (
    <EntryForm lead={signInWords.changePasswordLead} sending={changing} action={signInWords.savePassword}>
      <div role="status">{changing.isSuccess && <b>{signInWords.passwordChanged}</b>}</div>
      <PasswordField label={signInWords.currentPassword} value={current_password} onType={setCurrent} />
      <NewPasswordField value={password} onType={setPassword} />
    </EntryForm>
  )
}

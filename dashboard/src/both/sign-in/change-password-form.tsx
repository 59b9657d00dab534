import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { EntryForm } from './entry-form.tsx'
import { NewPasswordField, PasswordField } from './fields.tsx'
import { signInWords } from './sign-in-words.ts'

type Props = { readonly change: (body: { current_password: string; password: string }) => Promise<unknown> }

/** Changes the password. Always asks for the present one. */
export function ChangePasswordForm({ change }: Props) {
  const [current, setCurrent] = useState('')
  const [password, setPassword] = useState('')
  const changing = useMutation({
    mutationFn: () => change({ current_password: current, password }),
    onSuccess: () => {
      setCurrent('')
      setPassword('')
    },
  })
  return (
    <EntryForm lead={signInWords.changePasswordLead} sending={changing} action={signInWords.savePassword}>
      <div role="status">{changing.isSuccess && <b>{signInWords.passwordChanged}</b>}</div>
      <PasswordField label={signInWords.currentPassword} value={current} onType={setCurrent} />
      <NewPasswordField value={password} onType={setPassword} />
    </EntryForm>
  )
}

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { post } from '../api/call-api.ts'
import { EntryDone, EntryForm } from './entry-form.tsx'
import type { Face } from './face.ts'
import { NewPasswordField } from './fields.tsx'
import { useLinkToken } from './link-token.ts'
import { signInWords } from './sign-in-words.ts'

/** Shown after a new password was saved, with the way to the sign-in. */
export const PasswordSaved = () => (
  <EntryDone title={signInWords.passwordSaved}>
    <p>{signInWords.passwordSavedNext}</p>
    <Link href="/">{signInWords.toSignIn}</Link>
  </EntryDone>
)

/** Chooses a password with the link of a mail, or of the operator. */
export function SetPasswordForm({ face }: { readonly face: Face }) {
  const token = useLinkToken()
  const [password, setPassword] = useState('')
  const saving = useMutation({ mutationFn: () => post(`${face}/reset-password`, { token: token ?? '', password }) })
  const toNewLink = <Link href="/forgot-password">{signInWords.newLink}</Link>
  if (saving.isSuccess) return <PasswordSaved />
  if (token === undefined) {
    return (
      <EntryDone title={signInWords.linkTitle}>
        <p>{signInWords.linkMissing}</p>
        {toNewLink}
      </EntryDone>
    )
  }
  return (
    <EntryForm
      title={signInWords.setPasswordTitle}
      lead={signInWords.setPasswordLead}
      sending={saving}
      action={signInWords.savePassword}
      afterFailure={toNewLink}
    >
      <NewPasswordField value={password} onType={setPassword} />
    </EntryForm>
  )
}

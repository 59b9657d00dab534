import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { EntryDone, EntryForm } from './entry-form.tsx'
import { NewPasswordField } from './fields.tsx'
import { useLinkToken } from './link-token.ts'
import { signInWords } from './sign-in-words.ts'

type Props = {
  readonly save: (body: { token: string; password: string }) => Promise<unknown>
  /** Leads to the sign-in. */
  readonly toSignIn: ReactNode
  /** Leads to the form that asks for a new link. */
  readonly toNewLink: ReactNode
}

/** Chooses a password with the link of a mail, or of the operator. */
export function SetPasswordForm({ save, toSignIn, toNewLink }: Props) {
  const token = useLinkToken()
  const [password, setPassword] = useState('')
  const saving = useMutation({ mutationFn: () => save({ token: token ?? '', password }) })
  if (saving.isSuccess) {
    return (
      <EntryDone title={signInWords.passwordSaved}>
        <p>{signInWords.passwordSavedNext}</p>
        {toSignIn}
      </EntryDone>
    )
  }
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

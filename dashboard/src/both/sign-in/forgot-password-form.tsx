import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { post } from '../api/call-api.ts'
import { EntryDone, EntryForm, PlainButton } from './entry-form.tsx'
import type { Face } from './face.ts'
import { EmailField } from './fields.tsx'
import { signInWords } from './sign-in-words.ts'

type Props = {
  readonly face: Face
  /** A link to the mails, if this installation keeps them instead. */
  readonly mailHint?: ReactNode
  /** Leads to another way to a new password. */
  readonly otherWay?: ReactNode
}

/** Asks for a link to choose a new password. The message after it is the same for known and unknown e-mails. */
export function ForgotPasswordForm({ face, mailHint, otherWay }: Props) {
  const [email, setEmail] = useState('')
  const asking = useMutation({ mutationFn: () => post(`${face}/forgot-password`, { email: email.trim() }) })
  const toSignIn = <Link href="/">{signInWords.toSignIn}</Link>
  if (asking.isSuccess) {
    return (
      <EntryDone title={signInWords.mailTitle}>
        <p>{signInWords.resetMailSent}</p>
        {mailHint}
        <p>
          {signInWords.noMail} <b>{email.trim()}</b>
        </p>
        <PlainButton onClick={asking.reset}>{signInWords.askAgain}</PlainButton>
        {otherWay}
        {toSignIn}
      </EntryDone>
    )
  }
  return (
    <EntryForm
      title={signInWords.forgotTitle}
      lead={signInWords.forgotLead}
      sending={asking}
      action={signInWords.sendLink}
      links={
        <>
          {otherWay}
          {toSignIn}
        </>
      }
    >
      <EmailField value={email} onType={setEmail} />
    </EntryForm>
  )
}

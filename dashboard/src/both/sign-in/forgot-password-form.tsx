import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { EntryDone, EntryForm, PlainButton } from './entry-form.tsx'
import { EmailField } from './fields.tsx'
import { signInWords } from './sign-in-words.ts'

type Props = {
  readonly ask: (email: string) => Promise<unknown>
  /** Leads back to the sign-in. */
  readonly links: ReactNode
  /** A link to the kept mails, where an installation keeps them. */
  readonly mailHint?: ReactNode
}

/** Asks for a link to choose a new password. Its message afterwards is the same whether the e-mail is known or not. */
export function ForgotPasswordForm({ ask, links, mailHint }: Props) {
  const [email, setEmail] = useState('')
  const asking = useMutation({ mutationFn: () => ask(email.trim()) })
  if (asking.isSuccess) {
    return (
      <EntryDone title={signInWords.mailTitle}>
        <p>{signInWords.resetMailSent}</p>
        {mailHint}
        <p>
          {signInWords.noMail} <b>{email.trim()}</b>
        </p>
        <PlainButton onClick={asking.reset}>{signInWords.askAgain}</PlainButton>
        {links}
      </EntryDone>
    )
  }
  return (
    <EntryForm
      title={signInWords.forgotTitle}
      lead={signInWords.forgotLead}
      sending={asking}
      action={signInWords.sendLink}
      links={links}
    >
      <EmailField value={email} onType={setEmail} />
    </EntryForm>
  )
}

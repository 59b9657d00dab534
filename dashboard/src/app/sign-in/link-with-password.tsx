import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { ApiRefusal } from '../../both/api/call-api.ts'
import { EntryDone, EntryForm } from '../../both/sign-in/entry-form.tsx'
import { PasswordField } from '../../both/sign-in/fields.tsx'
import { useLinkToken } from '../../both/sign-in/link-token.ts'
import { SecondFactorForm, type SignInAnswer } from '../../both/sign-in/sign-in-form.tsx'
import { SignInFrame } from '../../both/sign-in/sign-in-frame.tsx'
import { signInWords } from '../../both/sign-in/sign-in-words.ts'
import { frameWords } from '../words/frame.ts'

type Props = {
  readonly title: string
  readonly lead: string
  readonly action: string
  readonly send: (body: { token: string; password: string }) => Promise<SignInAnswer>
  readonly onSignedIn: () => void
  /** Shown when the address has no token: a part of the link is missing, or the page was loaded again. */
  readonly missing: ReactNode
  /** Shown when the link is too old or was used. */
  readonly expired?: ReactNode
}

/** The screen that a link in a mail opens. The link and the password together sign the person in. */
export function LinkWithPassword({ title, lead, action, send, onSignedIn, missing, expired }: Props) {
  const token = useLinkToken()
  const [password, setPassword] = useState('')
  const sending = useMutation({
    mutationFn: () => send({ token: token ?? '', password }),
    onSuccess: ({ status }) => {
      if (status === 'signed_in') onSignedIn()
    },
  })
  if (sending.data?.status === 'second_factor') {
    return (
      <SignInFrame name={frameWords.name}>
        <SecondFactorForm
          face="/app/api"
          hasPasskey={sending.data.has_passkey === true}
          onSignedIn={onSignedIn}
          onBeginAgain={sending.reset}
        />
      </SignInFrame>
    )
  }
  const isExpired = sending.error instanceof ApiRefusal && sending.error.reason === 'link_invalid'
  const isWrong = sending.error instanceof ApiRefusal && sending.error.reason === 'wrong_sign_in'
  return (
    <SignInFrame name={frameWords.name}>
      {token === undefined ? (
        <EntryDone title={signInWords.linkTitle}>{missing}</EntryDone>
      ) : (
        <EntryForm
          title={title}
          lead={lead}
          sending={sending}
          action={action}
          afterFailure={
            <>
              {isExpired && expired}
              {isWrong && <Link href="/forgot-password">{signInWords.forgot}</Link>}
            </>
          }
        >
          <PasswordField value={password} onType={setPassword} />
        </EntryForm>
      )}
    </SignInFrame>
  )
}

import { useMutation } from '@tanstack/react-query'
import { Link } from 'wouter'
import { post } from '../../both/api/call-api.ts'
import { EntryDone, EntryForm } from '../../both/sign-in/entry-form.tsx'
import { useLinkToken } from '../../both/sign-in/link-token.ts'
import { SignInFrame } from '../../both/sign-in/sign-in-frame.tsx'
import { signInWords } from '../../both/sign-in/sign-in-words.ts'
import { frameWords } from '../words/frame.ts'
import { entryWords } from '../words/sign-in.ts'

/** Opened from the mail about a second factor that was reported as lost: one click keeps the factor. */
export default function KeepFactorScreen() {
  const token = useLinkToken()
  const stopping = useMutation({ mutationFn: () => post('/app/api/second-factor/keep-by-link', { token: token ?? '' }) })
  const newPassword = <Link href="/forgot-password">{entryWords.keepNewPassword}</Link>
  return (
    <SignInFrame name={frameWords.name}>
      {stopping.isSuccess ? (
        <EntryDone title={entryWords.keptTitle}>
          <p>{entryWords.keptNext}</p>
          {newPassword}
        </EntryDone>
      ) : token === undefined ? (
        <EntryDone title={signInWords.linkTitle}>
          <p>{signInWords.linkMissing}</p>
        </EntryDone>
      ) : (
        <EntryForm title={entryWords.keepTitle} sending={stopping} action={entryWords.keep}>
          <p>{entryWords.keepLead}</p>
        </EntryForm>
      )}
    </SignInFrame>
  )
}

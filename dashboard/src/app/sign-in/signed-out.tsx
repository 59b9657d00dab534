import { answerOf, api } from '../../shared/api/call-api.ts'
import { SignInForm } from '../../shared/sign-in/sign-in-form.tsx'
import { SignInFrame } from '../../shared/sign-in/sign-in-frame.tsx'
import { frameWords } from '../words/frame.ts'

/** What somebody sees who is not signed in. */
export default function SignedOut({ onSignedIn }: { readonly onSignedIn: () => void }) {
  return (
    <SignInFrame name={frameWords.name}>
      <SignInForm
        calls={{
          signIn: (body) => answerOf(() => api.POST('/app/api/sign-in', { body })),
          giveSecondFactor: (body) => answerOf(() => api.POST('/app/api/second-factor', { body })),
        }}
        onSignedIn={onSignedIn}
      />
    </SignInFrame>
  )
}

import { Link } from 'wouter'
import { post } from '../../both/api/call-api.ts'
import { SetPasswordForm } from '../../both/sign-in/set-password-form.tsx'
import { SignInFrame } from '../../both/sign-in/sign-in-frame.tsx'
import { signInWords } from '../../both/sign-in/sign-in-words.ts'
import { frameWords } from '../words/frame.ts'

/** The screen of a link to choose a password, from a mail or the operator. */
export default function SetPasswordScreen() {
  return (
    <SignInFrame name={frameWords.name}>
      <SetPasswordForm
        save={(body) => post('/app/api/reset-password', body)}
        toSignIn={<Link href="/">{signInWords.toSignIn}</Link>}
        toNewLink={<Link href="/forgot-password">{signInWords.newLink}</Link>}
      />
    </SignInFrame>
  )
}

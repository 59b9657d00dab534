import { SetPasswordForm } from '../../both/sign-in/set-password-form.tsx'
import { SignInFrame } from '../../both/sign-in/sign-in-frame.tsx'
import { frameWords } from '../words/frame.ts'

/** The screen of a link to choose a password, from a mail or the operator. */
export default function SetPasswordScreen() {
  return (
    <SignInFrame name={frameWords.name}>
      <SetPasswordForm face="/app/api" />
    </SignInFrame>
  )
}

import { ForgotPasswordForm } from '../../both/sign-in/forgot-password-form.tsx'
import { SignInFrame } from '../../both/sign-in/sign-in-frame.tsx'
import { KeptMailsLink } from '../mail/kept-mails-link.tsx'
import { frameWords } from '../words/frame.ts'

export default function ForgotPasswordScreen() {
  return (
    <SignInFrame name={frameWords.name}>
      <ForgotPasswordForm face="/app/api" mailHint={<KeptMailsLink />} />
    </SignInFrame>
  )
}

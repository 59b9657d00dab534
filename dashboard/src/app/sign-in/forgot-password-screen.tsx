import { Link } from 'wouter'
import { post } from '../../both/api/call-api.ts'
import { ForgotPasswordForm } from '../../both/sign-in/forgot-password-form.tsx'
import { SignInFrame } from '../../both/sign-in/sign-in-frame.tsx'
import { signInWords } from '../../both/sign-in/sign-in-words.ts'
import { KeptMailsLink } from '../mail/kept-mails-link.tsx'
import { frameWords } from '../words/frame.ts'

export default function ForgotPasswordScreen() {
  return (
    <SignInFrame name={frameWords.name}>
      <ForgotPasswordForm
        ask={(email) => post('/app/api/forgot-password', { email })}
        links={<Link href="/">{signInWords.toSignIn}</Link>}
        mailHint={<KeptMailsLink />}
      />
    </SignInFrame>
  )
}

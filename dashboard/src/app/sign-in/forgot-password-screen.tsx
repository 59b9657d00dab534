import { Link } from 'wouter'
import { ForgotPasswordForm } from '../../both/sign-in/forgot-password-form.tsx'
import { SignInFrame } from '../../both/sign-in/sign-in-frame.tsx'
import { KeptMailsLink } from '../mail/kept-mails.tsx'
import { frameWords } from '../words/frame.ts'
import { phoneWords } from '../words/phone.ts'
import { useHasPhoneWay } from './use-sign-in-ways.ts'

export default function ForgotPasswordScreen() {
  const hasPhoneWay = useHasPhoneWay()
  return (
    <SignInFrame name={frameWords.name}>
      <ForgotPasswordForm
        face="/app/api"
        mailHint={<KeptMailsLink />}
        otherWay={hasPhoneWay && <Link href="/forgot-password/phone">{phoneWords.recoverLink}</Link>}
      />
    </SignInFrame>
  )
}

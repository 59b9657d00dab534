import { Link } from 'wouter'
import { answerOf, api } from '../both/api/call-api.ts'
import { ForgotPasswordForm } from '../both/sign-in/forgot-password-form.tsx'
import { SetPasswordForm } from '../both/sign-in/set-password-form.tsx'
import { SignInFrame } from '../both/sign-in/sign-in-frame.tsx'
import { frameWords } from './words/frame.ts'

const toSignIn = <Link href="/">{frameWords.toSignIn}</Link>

function SetPasswordScreen() {
  return (
    <SignInFrame name={frameWords.name}>
      <SetPasswordForm
        save={(body) => answerOf(() => api.POST('/desk/api/reset-password', { body }))}
        toSignIn={toSignIn}
        toNewLink={<Link href="/forgot-password">{frameWords.newLink}</Link>}
      />
    </SignInFrame>
  )
}

function ForgotPasswordScreen() {
  return (
    <SignInFrame name={frameWords.name}>
      <ForgotPasswordForm
        ask={(email) => answerOf(() => api.POST('/desk/api/forgot-password', { body: { email } }))}
        links={toSignIn}
      />
    </SignInFrame>
  )
}

/** Screens that need no session, by their address; links of mails and of the operator lead to `/set-password`. */
export const deskEntryScreens: Readonly<Record<string, () => React.JSX.Element>> = {
  '/set-password': SetPasswordScreen,
  '/forgot-password': ForgotPasswordScreen,
}

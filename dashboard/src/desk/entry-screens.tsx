import { Link } from 'wouter'
import { answerOf, api } from '../both/api/call-api.ts'
import { ForgotPasswordForm } from '../both/sign-in/forgot-password-form.tsx'
import { SetPasswordForm } from '../both/sign-in/set-password-form.tsx'
import { SignInFrame } from '../both/sign-in/sign-in-frame.tsx'
import { deskWords } from './words.ts'

const toSignIn = <Link href="/">{deskWords.toSignIn}</Link>

function SetPasswordScreen() {
  return (
    <SignInFrame name={deskWords.name}>
      <SetPasswordForm
        save={(body) => answerOf(() => api.POST('/desk/api/reset-password', { body }))}
        toSignIn={toSignIn}
        toNewLink={<Link href="/forgot-password">{deskWords.newLink}</Link>}
      />
    </SignInFrame>
  )
}

function ForgotPasswordScreen() {
  return (
    <SignInFrame name={deskWords.name}>
      <ForgotPasswordForm
        ask={(email) => answerOf(() => api.POST('/desk/api/forgot-password', { body: { email } }))}
        links={toSignIn}
      />
    </SignInFrame>
  )
}

/** Screens that need no session, by their address; links of mails and of the operator lead to them. */
export const deskEntryScreens: Readonly<Record<string, () => React.JSX.Element>> = {
  '/set-password': SetPasswordScreen,
  '/forgot-password': ForgotPasswordScreen,
}

import { ForgotPasswordForm } from '../both/sign-in/forgot-password-form.tsx'
import { SetPasswordForm } from '../both/sign-in/set-password-form.tsx'
import { SignInFrame } from '../both/sign-in/sign-in-frame.tsx'
import { SecondFactorEntry } from './sign-in/second-factor-entry.tsx'
import { frameWords } from './words/frame.ts'

/** Screens that need no session, by their address; links of mails and of the operator lead to `/set-password`. */
export const deskEntryScreens: Readonly<Record<string, () => React.JSX.Element>> = {
  '/set-password': () => (
    <SignInFrame name={frameWords.name}>
      <SetPasswordForm face="/desk/api" />
    </SignInFrame>
  ),
  '/second-factor': SecondFactorEntry,
  '/forgot-password': () => (
    <SignInFrame name={frameWords.name}>
      <ForgotPasswordForm face="/desk/api" />
    </SignInFrame>
  ),
}

import { ForgotPasswordForm } from '../both/sign-in/forgot-password-form.tsx'
import { SetPasswordForm } from '../both/sign-in/set-password-form.tsx'
import { SecondFactorForm } from '../both/sign-in/sign-in-form.tsx'
import { SignInFrame } from '../both/sign-in/sign-in-frame.tsx'
import { frameWords } from './words/frame.ts'

/** Loads the page again, so that nothing that it read before the sign-in stays. */
const toDesk = () => window.location.replace('/desk')

/** The second factor after a sign-in by the directory. */
function SecondFactorEntry() {
  const hasPasskey = new URLSearchParams(window.location.search).has('passkey')
  return (
    <SignInFrame name={frameWords.name}>
      <SecondFactorForm face="/desk/api" hasPasskey={hasPasskey} onSignedIn={toDesk} onBeginAgain={toDesk} />
    </SignInFrame>
  )
}

/** Screens that need no session, by their address. Links in e-mails, or from the operator, open `/set-password`. */
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

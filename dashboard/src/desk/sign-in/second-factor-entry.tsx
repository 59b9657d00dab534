import { SecondFactorForm } from '../../both/sign-in/sign-in-form.tsx'
import { SignInFrame } from '../../both/sign-in/sign-in-frame.tsx'
import { frameWords } from '../words/frame.ts'

/** Loads the page again, so that nothing that it read before the sign-in stays. */
const toDesk = () => window.location.replace('/desk')

/** The second factor after a sign-in by the directory. */
export function SecondFactorEntry() {
  const hasPasskey = new URLSearchParams(window.location.search).has('passkey')
  return (
    <SignInFrame name={frameWords.name}>
      <SecondFactorForm face="/desk/api" hasPasskey={hasPasskey} onSignedIn={toDesk} onBeginAgain={toDesk} />
    </SignInFrame>
  )
}

import { Link } from 'wouter'
import { post } from '../../both/api/call-api.ts'
import { signInWords } from '../../both/sign-in/sign-in-words.ts'
import { entryWords } from '../words/sign-in.ts'
import type { EntryProps } from './entry-screens.ts'
import { LinkWithPassword } from './link-with-password.tsx'

/** The screen of the link in the first mail: confirms the e-mail, and with the password signs the person in. */
export default function VerifyScreen({ onSignedIn }: EntryProps) {
  const anew = <Link href="/register">{signInWords.register}</Link>
  return (
    <LinkWithPassword
      title={entryWords.verifyTitle}
      lead={entryWords.verifyLead}
      action={entryWords.verify}
      send={(body) => post('/app/api/verify', body)}
      onSignedIn={onSignedIn}
      missing={
        <>
          <p>{signInWords.linkMissing}</p>
          {anew}
        </>
      }
      expired={
        <p>
          {entryWords.verifyFailed} {anew}
        </p>
      }
    />
  )
}

import { post } from '../../both/api/call-api.ts'
import { entryWords } from '../words/sign-in.ts'
import type { EntryProps } from './entry-screens.ts'
import { LinkWithPassword } from './link-with-password.tsx'

/** The screen of an invitation's link: makes the reader a member of the account and signs the reader in. */
export default function JoinScreen({ onSignedIn }: EntryProps) {
  return (
    <LinkWithPassword
      title={entryWords.joinTitle}
      lead={entryWords.joinLead}
      action={entryWords.join}
      send={(body) => post('/app/api/join', body)}
      onSignedIn={onSignedIn}
      missing={<p>{entryWords.joinMissing}</p>}
    />
  )
}

import { answerOf, api } from '../../both/api/call-api.ts'
import { entryWords } from '../words/sign-in.ts'
import type { EntryProps } from './entry-screens.ts'
import { LinkWithPassword } from './link-with-password.tsx'

/** The link of an invitation: it makes the reader a member of the account, and enters. */
export default function JoinScreen({ onSignedIn }: EntryProps) {
  return (
    <LinkWithPassword
      title={entryWords.joinTitle}
      lead={entryWords.joinLead}
      action={entryWords.join}
      send={(body) => answerOf(() => api.POST('/app/api/join', { body }))}
      onSignedIn={onSignedIn}
      missing={<p>{entryWords.joinMissing}</p>}
    />
  )
}

import { useQuery } from '@tanstack/react-query'
import { post } from '../../both/api/call-api.ts'
import { memberRoles } from '../../both/role-words.ts'
import { useLinkToken } from '../../both/sign-in/link-token.ts'
import { entryWords } from '../words/sign-in.ts'
import type { EntryProps } from './entry-screens.ts'
import { LinkWithPassword } from './link-with-password.tsx'

/** The screen of an invitation's link: names the team, makes the reader a member of it and signs the reader in. */
export default function JoinScreen({ onSignedIn }: EntryProps) {
  const token = useLinkToken() ?? ''
  const { data: shown } = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => post('/app/api/show-invitation', { token }),
    enabled: token !== '',
    retry: false,
  })
  return (
    <LinkWithPassword
      title={shown ? entryWords.joinTeam(shown.account_name) : entryWords.joinTitle}
      lead={
        shown
          ? entryWords.joinAs(memberRoles[shown.role], shown.has_password ? entryWords.yourPassword : entryWords.newPassword)
          : entryWords.joinLead
      }
      action={entryWords.join}
      send={(body) => post('/app/api/join', body)}
      onSignedIn={onSignedIn}
      missing={<p>{entryWords.joinMissing}</p>}
    />
  )
}

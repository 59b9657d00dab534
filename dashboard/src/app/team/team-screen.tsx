import { useQuery } from '@tanstack/react-query'
import { answerOf, api } from '../../both/api/call-api.ts'
import { Page, Section } from '../../both/layout/page.tsx'
import { Asked, Empty } from '../../both/layout/wait.tsx'
import { Rows } from '../../both/list/rows.tsx'
import { teamWords as words } from '../words/team.ts'
import { InvitationRow } from './invitation-row.tsx'
import { InviteForm } from './invite-form.tsx'
import { MemberRow } from './member-row.tsx'

export default function TeamScreen() {
  const query = useQuery({
    queryKey: ['team'],
    queryFn: ({ signal }) => answerOf(() => api.GET('/app/api/team', { signal })),
  })
  const onChanged = () => void query.refetch()
  return (
    <Page title={words.title}>
      <Asked query={query}>
        {({ members, invitations }) => (
          <>
            <Rows label={words.members}>
              {members.map((member) => (
                <MemberRow key={member.person_id} member={member} onChanged={onChanged} />
              ))}
            </Rows>
            {invitations.length > 0 && (
              <Section title={words.invited}>
                <Rows label={words.invited}>
                  {invitations.map((invitation) => (
                    <InvitationRow key={invitation.invitation_id} invitation={invitation} onChanged={onChanged} />
                  ))}
                </Rows>
              </Section>
            )}
            <Section title={words.invite}>
              {members.length === 1 && invitations.length === 0 && <Empty title={words.alone}>{words.aloneNext}</Empty>}
              <InviteForm onInvited={onChanged} />
            </Section>
          </>
        )}
      </Asked>
    </Page>
  )
}

import { useRead } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { Card, Page, Section } from '../../both/layout/page.tsx'
import { Empty, QueryAnswer } from '../../both/layout/query-states.tsx'
import { Rows } from '../../both/list/rows.tsx'
import { frameWords } from '../words/frame.ts'
import { teamWords as words } from '../words/team.ts'
import { InvitationRow } from './invitation-row.tsx'
import { InviteForm } from './invite-form.tsx'
import { MemberRow } from './member-row.tsx'

export default function TeamScreen() {
  const query = useRead('team', '/app/api/team')
  const { data: spending } = useRead('spending', '/app/api/spending')
  return (
    <Page title={frameWords.team}>
      <QueryAnswer query={query}>
        {({ members, invitations }) => (
          <>
            <Rows label={words.members}>
              {members.map((member) => (
                <MemberRow
                  key={member.person_id}
                  member={member}
                  spending={spending?.members.find(({ person_id }) => person_id === member.person_id)}
                />
              ))}
            </Rows>
            {invitations.length > 0 && (
              <Section title={fieldWords.invited}>
                <Rows label={fieldWords.invited}>
                  {invitations.map((invitation) => (
                    <InvitationRow key={invitation.invitation_id} invitation={invitation} />
                  ))}
                </Rows>
              </Section>
            )}
            <Section title={fieldWords.inviteSomebody}>
              {members.length === 1 && invitations.length === 0 && <Empty title={words.alone}>{words.aloneNext}</Empty>}
              <Card>
                <InviteForm />
              </Card>
            </Section>
          </>
        )}
      </QueryAnswer>
    </Page>
  )
}

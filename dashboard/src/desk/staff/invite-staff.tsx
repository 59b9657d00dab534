import { useState } from 'react'
import { Link } from 'wouter'
import { post, type Schema } from '../../both/api/call-api.ts'
import { CopyText } from '../../both/copy-text.tsx'
import { fieldWords } from '../../both/field-words.ts'
import { Act } from '../../both/form/act.tsx'
import { Card } from '../../both/layout/page.tsx'
import { choicesOf } from '../../both/list/filter-bar.tsx'
import { frameWords } from '../words/frame.ts'
import { staffWords as words } from '../words/staff.ts'

type Invited = Schema<'InvitedStaff'>

export const roleChoices = choicesOf(frameWords.roles)

/** The result of an invitation: a mail was sent or, where this installation sends no mails, a link to hand on. */
export function InvitationSent({ invited }: { readonly invited: Invited | undefined }) {
  return (
    <div role="status">
      {invited && (
        <Card tone="gold">
          <p>{invited.set_up_link === null ? words.sent(invited.email) : words.handOn(invited.email)}</p>
          {invited.set_up_link !== null && <CopyText text={invited.set_up_link} />}
          {invited.approval_id !== null && (
            <p>
              {words.roleWaits} <Link href={`/approvals/${invited.approval_id}`}>{fieldWords.seeProposal}</Link>
            </p>
          )}
        </Card>
      )}
    </div>
  )
}

export function InviteStaff() {
  const [invited, setInvited] = useState<Invited>()
  return (
    <div style={{ display: 'grid', gap: 12, justifyItems: 'start', marginBottom: 12 }}>
      <Act
        label={words.invite}
        question={words.inviteQuestion}
        action={fieldWords.sendInvitation}
        button={{ variant: 'filled' }}
        fields={{
          email: { kind: 'email', label: fieldWords.email, isNeeded: true },
          role: { kind: 'choice', label: fieldWords.role, options: roleChoices, initial: 'support' },
        }}
        run={async (_reason, given) => setInvited(await post('/desk/api/staff', given))}
        topics={['staff']}
      >
        <p>{words.inviteLead}</p>
      </Act>
      <InvitationSent invited={invited} />
    </div>
  )
}

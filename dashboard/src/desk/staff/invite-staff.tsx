import { NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import { answerOf, api } from '../../both/api/call-api.ts'
import type { components } from '../../both/api/dashboard-api.d.ts'
import { CopyText } from '../../both/copy-text.tsx'
import { Act } from '../../both/form/act.tsx'
import { Card } from '../../both/layout/page.tsx'
import { frameWords } from '../words/frame.ts'
import { staffWords as words } from '../words/staff.ts'

type Invited = components['schemas']['InvitedStaff']
type Role = components['schemas']['StaffMe']['role']

export const roleChoices = (Object.keys(frameWords.roles) as Role[]).map((value) => ({ value, label: frameWords.roles[value] }))

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
              {words.roleWaits} <Link href={`/approvals/${invited.approval_id}`}>{words.seeProposal}</Link>
            </p>
          )}
        </Card>
      )}
    </div>
  )
}

export function InviteStaff() {
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('support')
  const [invited, setInvited] = useState<Invited>()
  return (
    <div style={{ display: 'grid', gap: 12, justifyItems: 'start', marginBottom: 12 }}>
      <Act
        label={words.invite}
        question={words.inviteQuestion}
        action={words.inviteAction}
        button={{ variant: 'filled' }}
        run={async () => setInvited(await answerOf(() => api.POST('/desk/api/staff', { body: { email: email.trim(), role } })))}
        topics={['staff']}
        onDone={() => setEmail('')}
      >
        <p>{words.inviteLead}</p>
        <TextInput
          mt={12}
          label={words.email}
          type="email"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
          value={email}
          onChange={({ currentTarget }) => setEmail(currentTarget.value)}
        />
        <NativeSelect
          mt={12}
          label={words.role}
          data={roleChoices}
          value={role}
          onChange={({ currentTarget }) => setRole(currentTarget.value as Role)}
        />
      </Act>
      <InvitationSent invited={invited} />
    </div>
  )
}

import { useState } from 'react'
import { post } from '../../both/api/call-api.ts'
import { SendForm } from '../../both/form/send-form.tsx'
import { teamWords as words } from '../words/team.ts'
import { type Role, RoleChoice } from './role-choice.tsx'
import css from './team.module.css'

export function InviteForm() {
  const [role, setRole] = useState<Role>('buyer')
  return (
    <SendForm
      label={words.invite}
      fields={{ email: { kind: 'email', label: words.email, isNeeded: true } }}
      action={words.sendInvitation}
      run={async ({ email }) => {
        await post('/app/api/team/invitations', { email, role })
        return email
      }}
      topics={['team']}
      done={(email) => <b>{words.invitationSent(email)}</b>}
      after={<RoleChoice role={role} onChoose={setRole} />}
    >
      <p className={css.soft}>{words.inviteLead}</p>
    </SendForm>
  )
}

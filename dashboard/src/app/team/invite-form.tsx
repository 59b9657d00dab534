import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { post } from '../../both/api/call-api.ts'
import { useAct } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { Form } from '../../both/form/form.tsx'
import { bindText } from '../../both/form/typed.ts'
import { teamWords as words } from '../words/team.ts'
import { type Role, RoleChoice } from './role-choice.tsx'

export function InviteForm() {
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('buyer')
  const invite = async () => {
    await post('/app/api/team/invitations', { email: email.trim(), role })
    return email.trim()
  }
  const inviting = useAct(invite, ['team'], () => setEmail(''))
  return (
    <Form
      label={fieldWords.inviteSomebody}
      sending={inviting}
      action={fieldWords.sendInvitation}
      done={inviting.data !== undefined && <b>{words.invitationSent(inviting.data)}</b>}
    >
      <p className="soft">{words.inviteLead}</p>
      <TextInput
        label={fieldWords.email}
        type="email"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        required
        {...bindText(email, setEmail)}
      />
      <RoleChoice role={role} onChoose={setRole} />
    </Form>
  )
}

import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { answerOf, api } from '../../both/api/call-api.ts'
import { Failure } from '../../both/layout/wait.tsx'
import { teamWords as words } from '../words/team.ts'
import { type Role, RoleChoice } from './role-choice.tsx'
import css from './team.module.css'

export function InviteForm({ onInvited }: { readonly onInvited: () => void }) {
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('buyer')
  const inviting = useMutation({
    mutationFn: async () => {
      const body = { email: email.trim(), role }
      await answerOf(() => api.POST('/app/api/team/invitations', { body }))
      return body.email
    },
    onSuccess: () => {
      setEmail('')
      onInvited()
    },
  })
  return (
    <form
      className={css.form}
      aria-label={words.invite}
      onSubmit={(event) => {
        event.preventDefault()
        inviting.mutate()
      }}
    >
      <p className={css.soft}>{words.inviteLead}</p>
      {inviting.error && <Failure error={inviting.error} />}
      <div role="status">{inviting.data !== undefined && <b>{words.invitationSent(inviting.data)}</b>}</div>
      <TextInput
        label={words.email}
        type="email"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        required
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <RoleChoice role={role} onChoose={setRole} />
      <Button type="submit" loading={inviting.isPending}>
        {words.sendInvitation}
      </Button>
    </form>
  )
}

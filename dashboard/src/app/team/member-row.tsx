import { Button, Modal } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { answerOf, api } from '../../both/api/call-api.ts'
import type { components } from '../../both/api/dashboard-api.d.ts'
import { Failure } from '../../both/layout/wait.tsx'
import { Row } from '../../both/list/rows.tsx'
import { State } from '../../both/list/state.tsx'
import { teamWords as words } from '../words/team.ts'
import { RoleChoice } from './role-choice.tsx'
import css from './team.module.css'

type Member = components['schemas']['Team']['members'][number]
type Props = { readonly member: Member; readonly onChanged: () => void }

/** Changes a member's role, or removes the member. */
function MemberForm({ member, onChanged }: Props) {
  const [role, setRole] = useState(member.role)
  const [isRemoving, setRemoving] = useState(false)
  const path = { person_id: member.person_id }
  const changing = useMutation({
    mutationFn: () => answerOf(() => api.PATCH('/app/api/team/members/{person_id}', { params: { path }, body: { role } })),
    onSuccess: onChanged,
  })
  const removing = useMutation({
    mutationFn: () => answerOf(() => api.DELETE('/app/api/team/members/{person_id}', { params: { path } })),
    onSuccess: onChanged,
  })
  const failure = changing.error ?? removing.error
  return (
    <div className={css.ends}>
      {failure && <Failure error={failure} />}
      <RoleChoice role={role} onChoose={setRole} />
      <Button disabled={role === member.role} loading={changing.isPending} onClick={() => changing.mutate()}>
        {words.saveRole}
      </Button>
      <div className={css.danger}>
        <p className={css.soft}>{words.removeWarning}</p>
        <Button
          variant="default"
          mt={8}
          fullWidth
          loading={removing.isPending}
          onClick={() => (isRemoving ? removing.mutate() : setRemoving(true))}
        >
          {isRemoving ? words.removeConfirm : words.remove}
        </Button>
      </div>
    </div>
  )
}

export function MemberRow({ member, onChanged }: Props) {
  const [isOpen, setOpen] = useState(false)
  const { name, email, role, has_two_factor, is_you } = member
  const close = () => setOpen(false)
  return (
    <>
      <Row
        title={
          <>
            {name} {is_you && `(${words.you})`}
          </>
        }
        detail={
          <>
            {email}
            <br />
            {words.roles[role]} ·{' '}
            <State tone={has_two_factor ? 'done' : 'plain'}>{has_two_factor ? words.withFactor : words.withoutFactor}</State>
          </>
        }
        end={
          <Button variant="default" aria-label={words.changeNamed(name)} onClick={() => setOpen(true)}>
            {words.change}
          </Button>
        }
      />
      <Modal opened={isOpen} onClose={close} title={<b>{words.changeNamed(name)}</b>}>
        <MemberForm
          member={member}
          onChanged={() => {
            close()
            onChanged()
          }}
        />
      </Modal>
    </>
  )
}

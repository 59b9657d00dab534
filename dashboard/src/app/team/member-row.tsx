import { Button, Modal } from '@mantine/core'
import { useIsMutating } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { patch, remove, type Schema } from '../../both/api/call-api.ts'
import { useAct } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { Failure } from '../../both/layout/query-states.tsx'
import { Row } from '../../both/list/rows.tsx'
import { State } from '../../both/list/state.tsx'
import { formatGhs } from '../../both/money/format-ghs.ts'
import { memberRoles } from '../../both/role-words.ts'
import { teamWords as words } from '../words/team.ts'
import { RoleChoice } from './role-choice.tsx'
import css from './team.module.css'

/** Loaded when a member is opened. */
const MemberSpending = lazy(() => import('./member-spending.tsx'))

type Member = Schema<'Team'>['members'][number]

/** Changes a member's role, or removes the member. */
function MemberForm({ member, onChanged }: { readonly member: Member; readonly onChanged: () => void }) {
  const [role, setRole] = useState(member.role)
  const [isRemoving, setRemoving] = useState(false)
  const { person_id } = member
  const changing = useAct(() => patch('/app/api/team/members/{person_id}', { person_id, role }), ['team'], onChanged)
  const removing = useAct(() => remove('/app/api/team/members/{person_id}', { person_id }), ['team'], onChanged)
  const failure = changing.error ?? removing.error
  return (
    <div className={css.ends}>
      {failure && <Failure error={failure} />}
      <RoleChoice role={role} onChoose={setRole} />
      <Button disabled={role === member.role} loading={changing.isPending} onClick={() => changing.mutate()}>
        {words.saveRole}
      </Button>
      <div className={css.danger}>
        <p className="soft">{words.removeWarning}</p>
        <Button
          variant="default"
          mt={8}
          fullWidth
          loading={removing.isPending}
          // The second tap of a double tap is no answer to the question.
          onClick={({ detail: taps }) => (isRemoving ? taps < 2 && removing.mutate() : setRemoving(true))}
        >
          {isRemoving ? words.removeConfirm : words.remove}
        </Button>
      </div>
    </div>
  )
}

type RowProps = { readonly member: Member; readonly spending: Schema<'MemberSpending'> | undefined }

/** Shows what the member bought today, and how much of the day's limit is left. */
function SpendingWords({ spending }: Pick<RowProps, 'spending'>) {
  if (!spending) return null
  const { limit, left, orders_today: orders, bought_today: bought } = spending
  return (
    <>
      <br />
      {words.boughtToday(formatGhs(bought), orders)}
      {limit !== null && ` · ${words.left(formatGhs(left ?? 0), formatGhs(limit))}`}
    </>
  )
}

export function MemberRow({ member, spending }: RowProps) {
  const [isOpen, setOpen] = useState(false)
  const { name, email, role, has_two_factor, is_you } = member
  const close = () => setOpen(false)
  const isBusy = useIsMutating() > 0
  return (
    <>
      <Row
        title={
          <>
            {name} {is_you && `(${fieldWords.you})`}
          </>
        }
        detail={
          <>
            {email}
            <br />
            {memberRoles[role]}{' '}
            <State tone={has_two_factor ? 'done' : 'plain'}>{has_two_factor ? words.withFactor : words.withoutFactor}</State>
            <SpendingWords spending={spending} />
          </>
        }
        end={
          <Button variant="default" aria-label={words.changeNamed(name)} onClick={() => setOpen(true)}>
            {fieldWords.change}
          </Button>
        }
      />
      {/* Nobody can close it until the server has answered: the answer may be a refusal, which is shown in it. */}
      <Modal opened={isOpen} onClose={isBusy ? () => undefined : close} title={<b>{words.changeNamed(name)}</b>}>
        <MemberForm member={member} onChanged={close} />
        <Suspense>
          <MemberSpending member={member} limit={spending?.limit ?? null} onChanged={close} />
        </Suspense>
      </Modal>
    </>
  )
}

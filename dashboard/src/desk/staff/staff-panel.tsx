import { useState } from 'react'
import { post, type Schema } from '../../both/api/call-api.ts'
import { useRead } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { Act } from '../../both/form/act.tsx'
import { Card } from '../../both/layout/page.tsx'
import { QueryAnswer } from '../../both/layout/query-states.tsx'
import { Row, Rows } from '../../both/list/rows.tsx'
import { State } from '../../both/list/state.tsx'
import { relativeMoment } from '../../both/moments/format-moment.ts'
import { Moment } from '../../both/moments/moment.tsx'
import { describeDevice } from '../../both/sessions/describe-device.ts'
import { Acts, BeforeAfter, Facts, Panel } from '../frame/panel.tsx'
import { useMay } from '../me.ts'
import { frameWords } from '../words/frame.ts'
import { staffWords as words } from '../words/staff.ts'
import { InvitationSent, roleChoices } from './invite-staff.tsx'
import { ResetFactor } from './lost-factor.tsx'

type Person = Schema<'StaffList'>['staff'][number]
type Props = { readonly person: Person }

export function factorOf({ has_two_factor: has, passkeys }: Person): string {
  if (!has) return fieldWords.missing
  return passkeys === 0 ? words.codes : `${words.codes}, ${words.passkeys(passkeys)}`
}

function ChangeRole({ person: { person_id, email, role: before } }: Props) {
  return (
    <Act
      label={fieldWords.changeRole}
      question={words.changeRoleQuestion(email)}
      fields={{ role: { kind: 'choice', label: fieldWords.role, options: roleChoices, initial: before } }}
      run={(_reason, { role }) => post('/desk/api/staff/{person_id}/role', { person_id, role })}
      topics={['staff', 'approvals']}
      effect={({ role }) => (
        <p style={{ marginTop: 12 }}>
          <BeforeAfter before={frameWords.roles[before]} after={frameWords.roles[role]} />
        </p>
      )}
    >
      <p>{words.roleTakesTwo}</p>
    </Act>
  )
}

function Remove({ person }: Props) {
  return (
    <Act
      label={fieldWords.remove}
      question={words.removeQuestion(person.email)}
      reason="needed"
      isGrave
      run={(reason) => post('/desk/api/staff/{person_id}/remove', { person_id: person.person_id, reason })}
      topics={['staff']}
    >
      <p>{words.removeLead}</p>
    </Act>
  )
}

function EndSessions({ person }: Props) {
  return (
    <Act
      label={words.endSessions}
      question={words.endSessionsQuestion(person.email)}
      run={() => post('/desk/api/staff/{person_id}/sessions/end', { person_id: person.person_id })}
      topics={['staff']}
    >
      <BeforeAfter before={words.open(person.sessions)} after={words.open(0)} />
      <p>{words.endSessionsLead}</p>
    </Act>
  )
}

function InviteAgain({ person }: Props) {
  const [invited, setInvited] = useState<Schema<'InvitedStaff'>>()
  return (
    <>
      <Act
        label={words.again}
        question={words.againQuestion(person.email)}
        run={async () => setInvited(await post('/desk/api/staff/{person_id}/invitation', { person_id: person.person_id }))}
        topics={['staff']}
      >
        <p>{words.againLead}</p>
      </Act>
      <InvitationSent invited={invited} />
    </>
  )
}

function Sessions({ person }: Props) {
  const query = useRead('staff', '/desk/api/staff/{person_id}/sessions', { person_id: person.person_id })
  return (
    <QueryAnswer query={query} lines={1}>
      {({ sessions }) => (
        <Rows label={fieldWords.sessions}>
          {sessions.map((session) => (
            <Row
              key={session.session_id}
              title={describeDevice(session.user_agent)}
              detail={`${session.address ?? words.unknownAddress} · ${relativeMoment(session.last_used_at)}`}
            />
          ))}
        </Rows>
      )}
    </QueryAnswer>
  )
}

/** A member of the staff: their sessions, and the actions of an owner. */
export function StaffPanel({ person }: Props) {
  const mayManage = useMay('manage_staff')
  const { has_two_factor: has, is_last_owner: isLastOwner, is_you: isYou } = person
  return (
    <Panel
      title={person.email}
      state={<State tone={has ? 'done' : 'wait'}>{`${fieldWords.secondFactor}: ${factorOf(person)}`}</State>}
      detail={frameWords.roles[person.role]}
    >
      {isLastOwner && <Card>{words.lastOwner}</Card>}
      {mayManage && (
        <Acts>
          {person.is_invited && <InviteAgain person={person} />}
          {!isLastOwner && <ChangeRole person={person} />}
          {has && !isYou && <ResetFactor email={person.email} />}
          {person.sessions > 0 && <EndSessions person={person} />}
          {!isLastOwner && <Remove person={person} />}
        </Acts>
      )}
      <Facts
        label={words.facts}
        facts={{
          [words.since]: <Moment at={person.created_at} />,
          [fieldWords.sessions]: words.open(person.sessions),
        }}
      />
      {mayManage && person.sessions > 0 && <Sessions person={person} />}
    </Panel>
  )
}

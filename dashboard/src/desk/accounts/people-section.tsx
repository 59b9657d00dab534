import { NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { answerOf, api } from '../../both/api/call-api.ts'
import { Act } from '../../both/form/act.tsx'
import { Section } from '../../both/layout/page.tsx'
import { Empty } from '../../both/layout/wait.tsx'
import { Row, Rows } from '../../both/list/rows.tsx'
import { relativeMoment } from '../../both/moments/format-moment.ts'
import { useMay } from '../me.ts'
import { accountWords as words } from '../words/accounts.ts'
import { type Account, pathOf } from './account-calls.ts'
import css from './accounts.module.css'

type Member = Account['members'][number]
type Invitation = Account['invitations'][number]
type MemberRoleName = Member['role']

const memberRoles = Object.keys(words.memberRoles) as MemberRoleName[]
const small = { size: 'compact-sm', variant: 'subtle' } as const

function RoleField({ role, setRole }: { readonly role: MemberRoleName; readonly setRole: (role: MemberRoleName) => void }) {
  return (
    <NativeSelect
      label={words.memberRole}
      data={memberRoles.map((value) => ({ value, label: `${words.memberRoles[value]}: ${words.memberMeans[value]}` }))}
      value={role}
      onChange={({ currentTarget }) => setRole(memberRoles.find((each) => each === currentTarget.value) ?? role)}
    />
  )
}

function Invite({ accountId }: { readonly accountId: string }) {
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<MemberRoleName>('owner')
  return (
    <Act
      label={words.invite}
      question={words.inviteQuestion}
      action={words.inviteAction}
      button={small}
      topics={['accounts']}
      run={() =>
        answerOf(() =>
          api.POST('/desk/api/accounts/{account_id}/invitations', {
            params: pathOf(accountId),
            body: { email: email.trim(), role },
          }),
        )
      }
      onDone={() => setEmail('')}
    >
      <div className={css.form}>
        <p>{words.inviteMeans}</p>
        <TextInput
          type="email"
          label={words.email}
          required
          value={email}
          onChange={({ currentTarget }) => setEmail(currentTarget.value)}
        />
        <RoleField role={role} setRole={setRole} />
      </div>
    </Act>
  )
}

function MemberActs({ accountId, member }: { readonly accountId: string; readonly member: Member }) {
  const [role, setRole] = useState(member.role)
  const params = { path: { account_id: accountId, person_id: member.person_id } }
  return (
    <span className={css.rowActs}>
      <Act
        label={words.memberRole}
        question={words.memberRoleQuestion(member.email)}
        action={words.nowThen(words.memberRoles[member.role], words.memberRoles[role])}
        reason="needed"
        button={small}
        topics={['accounts']}
        run={(reason) =>
          answerOf(() => api.PUT('/desk/api/accounts/{account_id}/members/{person_id}/role', { params, body: { role, reason } }))
        }
      >
        <RoleField role={role} setRole={setRole} />
      </Act>
      <Act
        label={words.remove}
        question={words.removeQuestion(member.email)}
        reason="needed"
        isGrave
        button={{ ...small, color: 'red' }}
        topics={['accounts']}
        run={(reason) =>
          answerOf(() => api.POST('/desk/api/accounts/{account_id}/members/{person_id}/remove', { params, body: { reason } }))
        }
      >
        <p>{words.removeMeans}</p>
      </Act>
    </span>
  )
}

function Withdraw({ accountId, invitation }: { readonly accountId: string; readonly invitation: Invitation }) {
  return (
    <Act
      label={words.withdrawInvitation}
      question={words.withdrawQuestion(invitation.email)}
      button={small}
      topics={['accounts']}
      run={() =>
        answerOf(() =>
          api.DELETE('/desk/api/accounts/{account_id}/invitations/{invitation_id}', {
            params: { path: { account_id: accountId, invitation_id: invitation.invitation_id } },
          }),
        )
      }
    />
  )
}

/** The members of the account, and its open invitations. */
export default function PeopleSection({ account }: { readonly account: Account }) {
  const { account_id: accountId, members, invitations } = account
  const mayManage = useMay('manage_accounts')
  return (
    <Section title={words.people} end={mayManage && <Invite accountId={accountId} />}>
      {members.length + invitations.length === 0 && <Empty title={words.peopleEmpty} />}
      {members.length + invitations.length > 0 && (
        <Rows label={words.people}>
          {members.map((member) => (
            <Row
              key={`${member.person_id}/${member.role}`}
              title={member.name}
              detail={
                <>
                  {member.email}
                  <br />
                  {words.memberRoles[member.role]} · {words.secondFactor}: {member.has_two_factor ? words.on : words.off}
                </>
              }
              end={mayManage && <MemberActs accountId={accountId} member={member} />}
            />
          ))}
          {invitations.map((invitation) => (
            <Row
              key={invitation.invitation_id}
              title={invitation.email}
              detail={`${words.invitations}: ${words.memberRoles[invitation.role]}, ${relativeMoment(invitation.expires_at)}`}
              end={mayManage && <Withdraw accountId={accountId} invitation={invitation} />}
            />
          ))}
        </Rows>
      )}
    </Section>
  )
}

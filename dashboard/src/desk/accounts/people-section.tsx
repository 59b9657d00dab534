import { post, put, remove } from '../../both/api/call-api.ts'
import { fieldWords } from '../../both/field-words.ts'
import { Act } from '../../both/form/act.tsx'
import { Section } from '../../both/layout/page.tsx'
import { choicesOf } from '../../both/list/filter-bar.tsx'
import { Row, Rows } from '../../both/list/rows.tsx'
import { relativeMoment } from '../../both/moments/format-moment.ts'
import { memberRoles } from '../../both/role-words.ts'
import { useMay } from '../me.ts'
import { accountWords as words } from '../words/accounts.ts'
import { type Account } from './account-calls.ts'
import css from './accounts.module.css'

type Member = Account['members'][number]
type Invitation = Account['invitations'][number]
type MemberRoleName = Member['role']

const small = { size: 'compact-sm', variant: 'subtle' } as const

const roleField = (initial: MemberRoleName) =>
  ({
    kind: 'choice',
    label: fieldWords.role,
    options: choicesOf(memberRoles).map(({ value, label }) => ({ value, label: `${label}: ${words.memberMeans[value]}` })),
    initial,
  }) as const

function Invite({ accountId }: { readonly accountId: string }) {
  return (
    <Act
      label={fieldWords.inviteSomebody}
      question={words.inviteQuestion}
      action={fieldWords.sendInvitation}
      button={small}
      topics={['accounts']}
      fields={{ email: { kind: 'email', label: fieldWords.email, isNeeded: true }, role: roleField('owner') }}
      run={(_reason, given) => post('/desk/api/accounts/{account_id}/invitations', { account_id: accountId, ...given })}
    >
      <p>{words.inviteMeans}</p>
    </Act>
  )
}

function MemberActs({ accountId, member }: { readonly accountId: string; readonly member: Member }) {
  const whom = { account_id: accountId, person_id: member.person_id }
  return (
    <span className={css.rowActs}>
      {member.has_two_factor && (
        <Act
          label={words.resetFactor}
          question={words.resetFactorQuestion(member.email)}
          action={words.proposeReset}
          reason="needed"
          reasonLabel={words.resetFactorReason}
          isGrave
          button={small}
          topics={['accounts', 'approvals']}
          run={(reason) => post('/desk/api/accounts/{account_id}/members/{person_id}/reset-second-factor', { ...whom, reason })}
        >
          <p>{words.resetFactorMeans}</p>
        </Act>
      )}
      {member.factor_lost_at !== null && (
        <Act
          label={words.keepFactor}
          question={words.keepFactorQuestion(member.email)}
          reason="needed"
          button={small}
          topics={['accounts', 'approvals']}
          run={(reason) => post('/desk/api/accounts/{account_id}/members/{person_id}/keep-second-factor', { ...whom, reason })}
        />
      )}
      <Act
        label={fieldWords.role}
        question={words.memberRoleQuestion(member.email)}
        action={({ role }) => fieldWords.becomes(memberRoles[member.role], memberRoles[role])}
        reason="needed"
        button={small}
        topics={['accounts']}
        fields={{ role: roleField(member.role) }}
        run={(reason, { role }) => put('/desk/api/accounts/{account_id}/members/{person_id}/role', { ...whom, role, reason })}
      />
      <Act
        label={fieldWords.remove}
        question={words.removeQuestion(member.email)}
        reason="needed"
        isGrave
        button={{ ...small, color: 'red' }}
        topics={['accounts']}
        run={(reason) => post('/desk/api/accounts/{account_id}/members/{person_id}/remove', { ...whom, reason })}
      >
        <p>{words.removeMeans}</p>
      </Act>
    </span>
  )
}

function Withdraw({ accountId, invitation }: { readonly accountId: string; readonly invitation: Invitation }) {
  return (
    <Act
      label={fieldWords.withdraw}
      question={words.withdrawQuestion(invitation.email)}
      button={small}
      topics={['accounts']}
      run={() =>
        remove('/desk/api/accounts/{account_id}/invitations/{invitation_id}', {
          account_id: accountId,
          invitation_id: invitation.invitation_id,
        })
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
      <Rows label={words.people} empty={{ title: words.peopleEmpty }}>
        {members.map((member) => (
          <Row
            key={`${member.person_id}/${member.role}`}
            title={member.name}
            detail={
              <>
                {member.email}
                <br />
                {memberRoles[member.role]} · {fieldWords.secondFactor}: {member.has_two_factor ? fieldWords.on : fieldWords.off}
                {member.factor_lost_at !== null && ` · ${words.factorLost(relativeMoment(member.factor_lost_at))}`}
              </>
            }
            end={mayManage && <MemberActs accountId={accountId} member={member} />}
          />
        ))}
        {invitations.map((invitation) => (
          <Row
            key={invitation.invitation_id}
            title={invitation.email}
            detail={`${fieldWords.invited}: ${memberRoles[invitation.role]}, ${relativeMoment(invitation.expires_at)}`}
            end={mayManage && <Withdraw accountId={accountId} invitation={invitation} />}
          />
        ))}
      </Rows>
    </Section>
  )
}

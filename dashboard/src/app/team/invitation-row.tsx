import { remove, type Schema } from '../../both/api/call-api.ts'
import { fieldWords } from '../../both/field-words.ts'
import { ActNow } from '../../both/form/act-now.tsx'
import { Row } from '../../both/list/rows.tsx'
import { exactMoment } from '../../both/moments/format-moment.ts'
import { memberRoles } from '../../both/role-words.ts'
import { teamWords as words } from '../words/team.ts'

type Props = { readonly invitation: Schema<'Team'>['invitations'][number] }

/** A person who was invited and has not joined yet. */
export function InvitationRow({ invitation: { invitation_id, email, role, expires_at } }: Props) {
  return (
    <Row
      title={email}
      detail={`${memberRoles[role]} · ${words.invitedUntil} ${exactMoment(expires_at)}`}
      end={
        <ActNow
          label={fieldWords.withdraw}
          variant="default"
          aria-label={words.withdrawNamed(email)}
          run={() => remove('/app/api/team/invitations/{invitation_id}', { invitation_id })}
          topics={['team']}
        />
      }
    />
  )
}

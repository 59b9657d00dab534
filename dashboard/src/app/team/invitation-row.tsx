import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { answerOf, api } from '../../both/api/call-api.ts'
import type { components } from '../../both/api/dashboard-api.d.ts'
import { Row } from '../../both/list/rows.tsx'
import { exactMoment } from '../../both/moments/format-moment.ts'
import { teamWords as words } from '../words/team.ts'

type Props = {
  readonly invitation: components['schemas']['Team']['invitations'][number]
  readonly onChanged: () => void
}

/** A person who was invited and has not joined yet. */
export function InvitationRow({ invitation: { invitation_id, email, role, expires_at }, onChanged }: Props) {
  const path = { invitation_id }
  const withdrawing = useMutation({
    mutationFn: () => answerOf(() => api.DELETE('/app/api/team/invitations/{invitation_id}', { params: { path } })),
    onSettled: onChanged,
  })
  return (
    <Row
      title={email}
      detail={`${words.roles[role]} · ${words.invitedUntil} ${exactMoment(expires_at)}`}
      end={
        <Button
          variant="default"
          aria-label={words.withdrawNamed(email)}
          loading={withdrawing.isPending}
          onClick={() => withdrawing.mutate()}
        >
          {words.withdraw}
        </Button>
      }
    />
  )
}

import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { remove, type Schema } from '../../both/api/call-api.ts'
import { useRefresh } from '../../both/api/use-read.ts'
import { Row } from '../../both/list/rows.tsx'
import { exactMoment } from '../../both/moments/format-moment.ts'
import { fieldWords } from '../../both/words.ts'
import { teamWords as words } from '../words/team.ts'

type Props = { readonly invitation: Schema<'Team'>['invitations'][number] }

/** A person who was invited and has not joined yet. */
export function InvitationRow({ invitation: { invitation_id, email, role, expires_at } }: Props) {
  const refresh = useRefresh()
  const withdrawing = useMutation({
    mutationFn: () => remove('/app/api/team/invitations/{invitation_id}', { invitation_id }),
    onSettled: () => refresh(['team']),
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
          {fieldWords.withdraw}
        </Button>
      }
    />
  )
}

import { Button, Group } from '@mantine/core'
import { useRead } from '../../both/api/use-read.ts'
import { Card } from '../../both/layout/page.tsx'
import { QueryAnswer } from '../../both/layout/query-states.tsx'
import { Moment } from '../../both/moments/moment.tsx'
import { sentence, approvalWords as words } from '../words/approvals.ts'
import { ConfirmProposal } from './decide-proposal.tsx'

type Props = {
  /** The equal proposal that waits. */
  readonly id: string
  /** Makes a second proposal beside the waiting one. Absent for an action that can be done only once. */
  readonly onAnother?: () => void
  readonly onDone: () => void
}

/** Shows a waiting proposal that is equal to the request, and asks whether the person meant that one. */
export function EqualProposalCard({ id, onAnother, onDone }: Props) {
  const query = useRead('approvals', '/desk/api/approvals/{approval_id}', { approval_id: id })
  return (
    <Card tone="gold">
      <QueryAnswer query={query} lines={2}>
        {(proposal) => (
          <>
            <b>{words.sameWaits}</b>
            <p>
              {sentence(proposal.what)}. {proposal.reason && <q>{proposal.reason}</q>}
            </p>
            <p>
              {words.proposedBy} {proposal.proposed_by}, <Moment at={proposal.created_at} />
            </p>
            {proposal.is_yours && <p>{words.yours}</p>}
            <Group gap={8} mt={12}>
              {proposal.may_confirm && <ConfirmProposal label={words.confirmThat} proposal={proposal} onDone={onDone} />}
              {onAnother && (
                <Button variant="default" onClick={onAnother}>
                  {words.proposeAnother}
                </Button>
              )}
            </Group>
          </>
        )}
      </QueryAnswer>
    </Card>
  )
}

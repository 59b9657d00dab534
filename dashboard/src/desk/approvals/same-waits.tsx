import { Button, Group } from '@mantine/core'
import { post } from '../../both/api/call-api.ts'
import { useRead } from '../../both/api/use-read.ts'
import { Act } from '../../both/form/act.tsx'
import { Card } from '../../both/layout/page.tsx'
import { Asked } from '../../both/layout/wait.tsx'
import { Moment } from '../../both/moments/moment.tsx'
import type { Topic } from '../frame/live.ts'
import { sentence, approvalWords as words } from '../words/approvals.ts'

type Props = {
  /** The equal proposal that waits. */
  readonly id: string
  readonly topics: readonly Topic[]
  /** Makes a second proposal beside the waiting one. Absent for an act that can be done only once. */
  readonly onAnother?: () => void
  readonly onDone: () => void
}

/** Shows a waiting proposal that is equal to the request, and asks whether the person meant that one. */
export default function SameWaits({ id, topics, onAnother, onDone }: Props) {
  const path = { approval_id: id }
  const query = useRead('approvals', '/desk/api/approvals/{approval_id}', path)
  return (
    <Card tone="gold">
      <Asked query={query} lines={2}>
        {({ what, reason, proposed_by: by, created_at: at, may_confirm: mayConfirm, is_yours: isYours }) => (
          <>
            <b>{words.sameWaits}</b>
            <p>
              {sentence(what)}. {reason && <q>{reason}</q>}
            </p>
            <p>
              {words.proposedBy} {by}, <Moment at={at} />
            </p>
            {isYours && <p>{words.yours}</p>}
            <Group gap={8} mt={12}>
              {mayConfirm && (
                <Act
                  label={words.confirmThat}
                  question={words.confirmQuestion}
                  button={{ variant: 'filled' }}
                  run={() => post('/desk/api/approvals/{approval_id}/confirm', path)}
                  topics={topics}
                  onDone={onDone}
                >
                  <p>{sentence(what)}.</p>
                </Act>
              )}
              {onAnother && (
                <Button variant="default" onClick={onAnother}>
                  {words.proposeAnother}
                </Button>
              )}
            </Group>
          </>
        )}
      </Asked>
    </Card>
  )
}

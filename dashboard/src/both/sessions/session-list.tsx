import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { remove } from '../api/call-api.ts'
import { useRead } from '../api/use-read.ts'
import { fieldWords } from '../field-words.ts'
import { Failure, QueryAnswer } from '../layout/query-states.tsx'
import { Row, Rows } from '../list/rows.tsx'
import { State } from '../list/state.tsx'
import { Moment } from '../moments/moment.tsx'
import type { Face } from '../sign-in/face.ts'
import { describeDevice } from './describe-device.ts'
import css from './session-list.module.css'
import { sessionWords as words } from './session-words.ts'

export type Session = {
  readonly session_id: string
  readonly is_this: boolean
  readonly address: string | null
  readonly user_agent: string | null
  readonly last_used_at: string
}

type RowProps = { readonly session: Session; readonly face: Face; readonly onEnded: () => void }

function SessionRow({ session, face, onEnded }: RowProps) {
  const ending = useMutation({
    mutationFn: () => remove(`${face}/sessions/{session_id}`, { session_id: session.session_id }),
    onSettled: onEnded,
  })
  const device = describeDevice(session.user_agent) ?? words.unknownDevice
  return (
    <Row
      title={device}
      detail={
        <>
          {session.address !== null && `${words.from} ${session.address} · `}
          {words.lastUsed} <Moment at={session.last_used_at} />
        </>
      }
      end={
        session.is_this ? (
          <State tone="done">{words.thisOne}</State>
        ) : (
          <>
            <Button
              variant="default"
              aria-label={words.endNamed(device)}
              loading={ending.isPending}
              onClick={() => ending.mutate()}
            >
              {words.end}
            </Button>
            {ending.error && <Failure error={ending.error} />}
          </>
        )
      }
    />
  )
}

/** The person's open sessions. Each but this one can be ended, or all others at once. */
export function SessionList({ face }: { readonly face: Face }) {
  const query = useRead('sessions', `${face}/sessions`)
  const onEnded = () => void query.refetch()
  const endingOthers = useMutation({ mutationFn: () => remove(`${face}/sessions`), onSettled: onEnded })
  return (
    <QueryAnswer query={query}>
      {({ sessions }) => (
        <>
          <p className={css.lead}>{words.lead}</p>
          <Rows label={fieldWords.sessions}>
            {sessions.map((session) => (
              <SessionRow key={session.session_id} session={session} face={face} onEnded={onEnded} />
            ))}
          </Rows>
          {endingOthers.error && <Failure error={endingOthers.error} />}
          <p role="status">{endingOthers.data && words.ended(endingOthers.data.ended)}</p>
          {sessions.length > 1 && (
            <Button variant="default" mt={16} fullWidth loading={endingOthers.isPending} onClick={() => endingOthers.mutate()}>
              {words.endOthers}
            </Button>
          )}
        </>
      )}
    </QueryAnswer>
  )
}

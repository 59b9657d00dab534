import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Asked, Failure } from '../layout/wait.tsx'
import { Row, Rows } from '../list/rows.tsx'
import { State } from '../list/state.tsx'
import { Moment } from '../moments/moment.tsx'
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

/** The calls of one face. */
export type SessionCalls = {
  readonly list: () => Promise<{ readonly sessions: readonly Session[] }>
  readonly end: (sessionId: string) => Promise<unknown>
  readonly endOthers: () => Promise<{ readonly ended: number }>
}

function SessionRow({ session, calls, onEnded }: { session: Session; calls: SessionCalls; onEnded: () => void }) {
  const ending = useMutation({ mutationFn: () => calls.end(session.session_id), onSettled: onEnded })
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
          <Button
            variant="default"
            aria-label={words.endNamed(device)}
            loading={ending.isPending}
            onClick={() => ending.mutate()}
          >
            {words.end}
          </Button>
        )
      }
    />
  )
}

/** The person's open sessions. Each but this one can be ended, or all others at once. */
export function SessionList({ calls }: { readonly calls: SessionCalls }) {
  const query = useQuery({ queryKey: ['sessions'], queryFn: calls.list })
  const onEnded = () => void query.refetch()
  const endingOthers = useMutation({ mutationFn: calls.endOthers, onSettled: onEnded })
  return (
    <Asked query={query}>
      {({ sessions }) => (
        <>
          <p className={css.lead}>{words.lead}</p>
          <Rows label={words.title}>
            {sessions.map((session) => (
              <SessionRow key={session.session_id} session={session} calls={calls} onEnded={onEnded} />
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
    </Asked>
  )
}

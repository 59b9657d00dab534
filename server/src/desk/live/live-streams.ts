import { PassThrough, type Readable } from 'node:stream'
import { sql } from 'kysely'
import type { SignedInPerson } from '../../people/find-person.ts'
import type { PeopleDeps } from '../../people/people-deps.ts'
import type { StaffRole } from '../../people/permissions/staff-permissions.ts'
import { permissionsOfStaff } from '../../people/permissions/staff-permissions.ts'
import type { Db } from '../../platform/database/database.ts'
import type { Live } from './open-live.ts'

/**
 * Lists those of the given sessions that are open and belong to staff, each with the person's present role, and whether the
 * person has a second factor.
 */
async function listStaffSessions(
  db: Db,
  sessionIds: readonly string[],
): Promise<{ readonly sessionId: string; readonly role: StaffRole; readonly hasTwoFactor: boolean }[]> {
  if (sessionIds.length === 0) return []
  const { rows } = await sql<{ id: string; role: StaffRole; has_two_factor: boolean }>`
    select session.id, staff.role, person.two_factor_enabled as has_two_factor
    from person_sessions as session
    join persons as person on person.id = session.person_id
    join staff on staff.person_id = person.id
    where session.id = any(${sessionIds}::uuid[]) and session.expires_at > clock_timestamp()`.execute(db)
  return rows.map(({ id, role, has_two_factor: hasTwoFactor }) => ({ sessionId: id, role, hasTwoFactor }))
}

/** The most open streams of one person, and of all, in a process. Further browsers must poll instead. */
const streamsOfPersonMax = 6
const streamsMax = 1_000

/** The pause between heartbeats. Many proxies end a connection that was silent for a minute, some even sooner. */
const heartbeatMilliseconds = 15_000

/**
 * The pause between checks of the streams' sessions. A stream ends with its session, or when its person may not see the desk any
 * more.
 */
const checkMilliseconds = 5_000

/** A browser with more unread bytes is disconnected, before the waiting text fills the memory. */
const unreadBytesMax = 65_536

/** The pause after which a browser reconnects; random, so that not all come back at once. */
const returnMilliseconds = () => 2_000 + Math.floor(Math.random() * 3_000)

type Open = { readonly stream: PassThrough; readonly personId: string; readonly sessionId: string }

const eventOf = (name: string, data: object) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`

/** The streams that tell open desks which topics have changed. */
export type LiveStreams = {
  /** Opens a stream; undefined when too many are open, or after `end`. */
  open(person: Pick<SignedInPerson, 'personId' | 'sessionId'>): Readable | undefined
  /** Ends all streams and opens no more, because an open stream would delay the stop of the process. */
  end(): void
}

type Deps = Pick<PeopleDeps, 'db' | 'isStaffTwoFactorNeeded'> & { readonly live: Live }

/** Makes the streams of this process. Its timers run only while a stream is open. */
export function openLiveStreams({ db, isStaffTwoFactorNeeded, live }: Deps): LiveStreams {
  const open = new Set<Open>()
  let timers: readonly NodeJS.Timeout[] = []
  let hasEnded = false

  function send(text: string, some: Iterable<Open> = open): void {
    for (const { stream } of some) {
      if (stream.writableLength > unreadBytesMax) stream.destroy()
      else stream.write(text)
    }
  }

  async function checkSessions(): Promise<void> {
    const sessions = await listStaffSessions(
      db,
      [...open].map(({ sessionId }) => sessionId),
    )
    const allowed = new Set(
      sessions
        .filter(({ role, hasTwoFactor }) => permissionsOfStaff(role).includes('see') && (hasTwoFactor || !isStaffTwoFactorNeeded))
        .map(({ sessionId }) => sessionId),
    )
    for (const one of open) if (!allowed.has(one.sessionId)) one.stream.end()
  }

  function begin(): void {
    timers = [
      setInterval(() => send(': still here\n\n'), heartbeatMilliseconds).unref(),
      // A failed check is ignored: while the database does not answer, the streams report no changes, and the next check comes
      // soon.
      setInterval(() => void checkSessions().catch(() => undefined), checkMilliseconds).unref(),
    ]
  }

  function leave(one: Open): void {
    open.delete(one)
    if (open.size > 0) return
    for (const timer of timers) clearInterval(timer)
    timers = []
  }

  return {
    open({ personId, sessionId }) {
      const ofPerson = [...open].filter((other) => other.personId === personId).length
      if (hasEnded || open.size >= streamsMax || ofPerson >= streamsOfPersonMax) return undefined
      const one = { stream: new PassThrough(), personId, sessionId }
      if (open.size === 0) begin()
      open.add(one)
      const listening = live.listen((moved) => send(eventOf('moved', moved), [one]))
      one.stream.once('close', () => {
        listening.stopListening()
        leave(one)
      })
      one.stream.write(`retry: ${returnMilliseconds()}\n\n`)
      listening.marks.then(
        (marks) => send(eventOf('marks', marks), [one]),
        () => one.stream.destroy(),
      )
      return one.stream
    },
    end() {
      hasEnded = true
      for (const { stream } of open) stream.end()
    },
  }
}

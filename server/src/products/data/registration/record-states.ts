import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Db } from '../../../platform/database/database.ts'
import { rowsOf } from '../../../platform/database/rows-of.ts'
import { gather, restBetweenBatches } from '../../../platform/gathering/gather.ts'
import { inOrder } from '../../../platform/gathering/line.ts'
import type { ServerStates } from './combine-states.ts'
import type { RegistrationMemory } from './registration-memory.ts'
import type { ServerNo } from './registration-servers.ts'

/** Stores what the registration servers said. */
export type StateRecord = {
  /**
   * Stores which servers said yes about a number, and removes an earlier yes of a server that says something else now.
   * A yes is written later, together with others. Where a yes may have to be removed, the promise waits for that.
   * A failure to write changes no answer, because these rows only save later questions.
   */
  readonly record: (number: string, states: ServerStates) => Promise<void>
  /** Resolves when everything is written. */
  readonly written: () => Promise<void>
}

type RecordDeps = {
  readonly db: Db
  readonly log: Pick<Logger, 'warn'>
  /** What this process remembers, where it sells. */
  readonly memory?: RegistrationMemory
}

/** What one server said about a number. */
type Said = {
  readonly number: string
  readonly server: ServerNo
  /** When the server said it, in milliseconds of this process's monotonic clock. */
  readonly heardAt: number
  /** Called when an earlier yes is removed. Undefined when the server said yes. */
  readonly onRemoved?: () => void
}

/** How many answers are written in one statement, and how long they wait for each other. */
const batchMax = 1_000
const restMilliseconds = 20

/** More answers do not wait: while the database is slow, a yes is forgotten and asked for again. */
const waitingMax = 10_000

/** A yes that waited longer than this is not stored, because another process may have heard and stored a newer no. */
const waitMillisecondsMax = 1_000

const rowsOfSaid = (said: readonly Said[]) =>
  rowsOf(said, { number: ['text', ({ number }) => number], server: ['smallint', ({ server }) => server] }).as('said')

/**
 * The rows are locked in one order, so that two processes never wait for each other. What was removed may be remembered
 * by other processes, which forget it when the epoch moves.
 */
async function removeYes(db: Db, said: readonly Said[]): Promise<void> {
  await sql`
    with found as (
      select number, server from registrations join ${rowsOfSaid(said)} using (number, server)
      order by number, server for update of registrations
    ), removed as (
      delete from registrations using found
      where registrations.number = found.number and registrations.server = found.server returning 1
    )
    update cache_epoch set epoch = epoch + 1 where exists (select from removed)`.execute(db)
}

async function writeYes(db: Db, said: readonly Said[]): Promise<void> {
  await sql`
    insert into registrations (number, server, state)
    select number, server, 'registered'
    from ${rowsOfSaid(said)} order by number, server
    on conflict (number, server) do update set state = excluded.state, checked_at = excluded.checked_at`.execute(db)
}

/**
 * Opens the record of a process. What still waits when the process is killed is asked for again. A yes that is not stored
 * is forgotten, because the no of another process raises the epoch only where it removes a row.
 */
export function openStateRecord({ db, log, memory }: RecordDeps): StateRecord {
  const line = inOrder<Said>(batchMax)
  let removalsInLine = 0

  async function work(batch: readonly Said[]): Promise<void> {
    const removals = batch.flatMap(({ onRemoved }) => onRemoved ?? [])
    removalsInLine -= removals.length
    // Of several answers of a server about a number the last one counts.
    const last = [...new Map(batch.map((said) => [`${said.number}/${said.server}`, said])).values()]
    const [yes, other] = [last.filter(({ onRemoved }) => !onRemoved), last.filter(({ onRemoved }) => onRemoved)]
    let unwritten = yes
    try {
      if (other.length > 0) await removeYes(db, other)
      const heardSince = performance.now() - waitMillisecondsMax
      const fresh = yes.filter(({ heardAt }) => heardAt >= heardSince)
      if (fresh.length > 0) await writeYes(db, fresh)
      unwritten = yes.filter(({ heardAt }) => heardAt < heardSince)
    } catch (error) {
      log.warn({ err: error }, 'registrations could not be remembered')
    }
    for (const { number, server } of unwritten) memory?.forget(number, server)
    for (const onRemoved of removals) onRemoved()
  }

  const gathering = gather({
    line,
    work,
    pause: restBetweenBatches(restMilliseconds, () => removalsInLine > 0 || line.count() >= batchMax),
  })

  function addYes(number: string, server: ServerNo): void {
    if (gathering.size() < waitingMax) gathering.add({ number, server, heardAt: performance.now() })
    else memory?.forget(number, server)
  }

  function remove(number: string, server: ServerNo): Promise<void> {
    removalsInLine += 1
    return new Promise((resolve) => gathering.add({ number, server, heardAt: performance.now(), onRemoved: resolve }))
  }

  return {
    record: async (number, states) => {
      memory?.hear(number, states)
      const removals: Promise<void>[] = []
      for (const [server, state] of states) {
        if (state === 'registered') addYes(number, server)
        else if (state === 'not_registered' || state === 'pending') removals.push(remove(number, server))
      }
      if (removals.length > 0) await Promise.all(removals)
    },
    written: () => gathering.drained(),
  }
}

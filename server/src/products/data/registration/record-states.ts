import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Db } from '../../../platform/database/database.ts'
import { rowsOf } from '../../../platform/database/rows-of.ts'
import { createBatcher, createFifoQueue, createPauseBetweenBatches } from '../../../platform/gathering/create-batcher.ts'
import type { ServerStates } from './combine-states.ts'
import type { RegistrationMemory } from './registration-memory.ts'
import type { ServerNo } from './registration-servers.ts'

export type StateRecord = {
  /**
   * Stores the servers that have registered a number, and removes the stored registration of a server that now answers otherwise.
   * A registration is written later, together with others; the promise waits only for a possible removal. A failed write changes
   * no answer, because these rows only make later questions unnecessary.
   */
  readonly record: (number: string, states: ServerStates) => Promise<void>
  readonly written: () => Promise<void>
}

type RecordDeps = {
  readonly db: Db
  readonly log: Pick<Logger, 'warn'>
  /** The registrations that this process remembers. Absent in a process that does not sell. */
  readonly memory?: RegistrationMemory
}

type ServerAnswer = {
  readonly number: string
  readonly server: ServerNo
  /** Time of the answer, in milliseconds of this process's monotonic clock. */
  readonly answeredAt: number
  /** Called when a stored registration was removed, or could not be. Undefined for the answer `registered`. */
  readonly onRemoved?: () => void
}

/** The most answers that one statement writes, and how long answers are collected for it. */
const batchMax = 1_000
const restMilliseconds = 20

/** At this many waiting answers, further `registered` ones are dropped, and their numbers are asked about again. */
const waitingMax = 10_000

/**
 * A `registered` that waited longer is not stored, because another process may have got and stored a newer answer that denies it.
 */
const waitMillisecondsMax = 1_000

const rowsOfAnswers = (answers: readonly ServerAnswer[]) =>
  rowsOf(answers, { number: ['text', ({ number }) => number], server: ['smallint', ({ server }) => server] }).as('answered')

/**
 * Locks the rows in a fixed order, so that two processes cannot deadlock. Other processes may remember a removed registration;
 * they drop it when the epoch moves.
 */
async function removeRegistration(db: Db, answers: readonly ServerAnswer[]): Promise<void> {
  await sql`
    with found as (
      select number, server from registrations join ${rowsOfAnswers(answers)} using (number, server)
      order by number, server for update of registrations
    ), removed as (
      delete from registrations using found
      where registrations.number = found.number and registrations.server = found.server returning 1
    )
    update cache_epoch set epoch = epoch + 1 where exists (select from removed)`.execute(db)
}

async function writeRegistered(db: Db, answers: readonly ServerAnswer[]): Promise<void> {
  await sql`
    insert into registrations (number, server, state)
    select number, server, 'registered'
    from ${rowsOfAnswers(answers)} order by number, server
    on conflict (number, server) do update set state = excluded.state, checked_at = excluded.checked_at`.execute(db)
}

/**
 * Opens the record of a process. A killed process loses the waiting answers, which are asked for again. A registration that is
 * not stored is dropped from memory too, because another process that removes it moves the epoch only if it finds a row.
 */
export function openStateRecord({ db, log, memory }: RecordDeps): StateRecord {
  const queue = createFifoQueue<ServerAnswer>(batchMax)
  let removalsInLine = 0

  async function work(batch: readonly ServerAnswer[]): Promise<void> {
    const removals = batch.flatMap(({ onRemoved }) => onRemoved ?? [])
    removalsInLine -= removals.length
    // If a server gave several answers about a number, the last one counts.
    const last = [...new Map(batch.map((answer) => [`${answer.number}/${answer.server}`, answer])).values()]
    const [yes, other] = [last.filter(({ onRemoved }) => !onRemoved), last.filter(({ onRemoved }) => onRemoved)]
    let unwritten = yes
    try {
      if (other.length > 0) await removeRegistration(db, other)
      const answeredSince = performance.now() - waitMillisecondsMax
      const fresh = yes.filter(({ answeredAt }) => answeredAt >= answeredSince)
      if (fresh.length > 0) await writeRegistered(db, fresh)
      unwritten = yes.filter(({ answeredAt }) => answeredAt < answeredSince)
    } catch (error) {
      log.warn({ err: error }, 'registrations could not be remembered')
    }
    for (const { number, server } of unwritten) memory?.forget(number, server)
    for (const onRemoved of removals) onRemoved()
  }

  const gathering = createBatcher({
    queue,
    work,
    pause: createPauseBetweenBatches(restMilliseconds, () => removalsInLine > 0 || queue.count() >= batchMax),
  })

  function addRegistered(number: string, server: ServerNo): void {
    if (gathering.size() < waitingMax) gathering.add({ number, server, answeredAt: performance.now() })
    else memory?.forget(number, server)
  }

  function remove(number: string, server: ServerNo): Promise<void> {
    removalsInLine += 1
    return new Promise((resolve) => gathering.add({ number, server, answeredAt: performance.now(), onRemoved: resolve }))
  }

  return {
    record: async (number, states) => {
      memory?.learn(number, states)
      const removals: Promise<void>[] = []
      for (const [server, state] of states) {
        if (state === 'registered') addRegistered(number, server)
        else if (state === 'not_registered' || state === 'pending') removals.push(remove(number, server))
      }
      if (removals.length > 0) await Promise.all(removals)
    },
    written: () => gathering.drained(),
  }
}

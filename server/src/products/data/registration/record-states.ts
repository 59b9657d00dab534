import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Db } from '../../../platform/database/database.ts'
import type { ServerStates } from './combine-states.ts'

type RecordDeps = { readonly db: Db; readonly log: Pick<Logger, 'warn'> }

/**
 * Stores which servers said yes about a number, and removes an earlier yes of a server that says something else now.
 * These rows only save later questions, so a failure to write them changes no answer.
 */
export async function recordStates({ db, log }: RecordDeps, number: string, states: ServerStates): Promise<void> {
  const said = [...states].filter(([, state]) => state !== 'unavailable').toSorted(([a], [b]) => a - b)
  const yes = said.filter(([, state]) => state === 'registered').map(([server]) => server)
  const other = said.filter(([, state]) => state !== 'registered').map(([server]) => server)
  try {
    if (other.length > 0) {
      await sql`delete from registrations where number = ${number} and server = any(${other}::smallint[])`.execute(db)
    }
    if (yes.length === 0) return
    await sql`
      insert into registrations (number, server, state)
      select ${number}, server, 'registered' from unnest(${yes}::smallint[]) as said (server)
      on conflict (number, server) do update set state = excluded.state, checked_at = excluded.checked_at`.execute(db)
  } catch (error) {
    log.warn({ err: error }, 'a registration could not be remembered')
  }
}

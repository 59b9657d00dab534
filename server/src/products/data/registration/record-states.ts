import { sql } from 'kysely'
import type { AskDeps } from './ask-servers.ts'
import type { ServerStates } from './combine-states.ts'

/**
 * Remembers what servers said about a number. Only what spares a later question: without it everybody is
 * asked again, so that a database which is away harms no answer here.
 */
export async function recordStates({ db, log }: AskDeps, number: string, states: ServerStates): Promise<void> {
  const said = [...states].filter(([, state]) => state !== 'unavailable').toSorted(([a], [b]) => a - b)
  if (said.length === 0) return
  try {
    await sql`
      insert into registrations (number, server, state)
      select ${number}, server, state
      from unnest(${said.map(([server]) => server)}::smallint[], ${said.map(([, state]) => state)}::text[]) as said (server, state)
      on conflict (number, server) do update set state = excluded.state, checked_at = excluded.checked_at`.execute(db)
  } catch (error) {
    log.warn({ err: error }, 'a registration could not be remembered')
  }
}

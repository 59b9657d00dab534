import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../database/database.ts'

/** The place where the requests of keys are counted. */
export type LimitStore = 'memory' | 'postgres'

/** An API process that is connected to the database. `name` is the name of its connections. */
export type ApiProcess = { readonly name: string; readonly store: LimitStore }

/** Names the database connections of this process, so that other processes see how this one counts requests. */
export function nameApiProcess(store: LimitStore): ApiProcess {
  return { name: `makola api ${randomBytes(4).toString('hex')} ${store}`, store }
}

/** The API processes that work on this database now, on all machines. */
export async function listApiProcesses(db: Db): Promise<ApiProcess[]> {
  const { rows } = await sql<ApiProcess>`
    select distinct application_name as name, split_part(application_name, ' ', 4) as store from pg_stat_activity
    where datname = current_database() and application_name ~ '^makola api [0-9a-f]{8} (memory|postgres)$'
    order by name`.execute(db)
  return rows
}

/** Describes the problem when several processes run and some count in their own memory; otherwise undefined. */
export function describeUnsharedLimits(processes: readonly ApiProcess[]): string | undefined {
  const inMemory = processes.filter(({ store }) => store === 'memory').length
  if (processes.length < 2 || inMemory === 0) return undefined
  return (
    `${processes.length} API processes work on this database, of which ${inMemory} count the requests of keys in their own memory: ` +
    'a key may ask that much more often. Leave RATE_LIMIT_STORE out for all of them, or set it to postgres.'
  )
}

import { sql } from 'kysely'
import type { Db } from './database.ts'
import { errorCodeOf } from './database-errors.ts'
import { inTransaction } from './in-transaction.ts'
import { applicationRole } from './migrate.ts'

/** The number of tries. One detects an idle pooler, but a busy one may by chance give the same server connection twice. */
const looks = 5

const advice =
  'Makola needs a session of its own for each connection: connect to PostgreSQL itself, or through something that passes connections on, not statements or transactions.'

const isShared = `What stands between Makola and PostgreSQL gives one session to several connections. ${advice}`

/** Somebody else has prepared the same statement in this session (`duplicate_prepared_statement`). */
const preparedByAnother = '42P05'

async function readSession(db: Db): Promise<{ pid: number; role: string }> {
  const { rows } = await sql<{
    pid: number
    role: string
  }>`select pg_backend_pid() as pid, current_setting('role') as role`.execute(db)
  if (!rows[0]) throw new Error('the database did not say which session this is')
  return rows[0]
}

/**
 * Refuses a pooler that gives each transaction another session, such as PgBouncer in transaction mode: prepared
 * statements, time limits and advisory locks would then belong to whoever uses the session next.
 * @param db a pool of at least two connections that work as the application role
 */
export async function checkSessions(db: Db): Promise<void> {
  const looking = db.connection().execute(async (ours) => {
    const before = await readSession(ours)
    if (before.role !== applicationRole) {
      throw new Error(`What stands between Makola and PostgreSQL drops the settings that a connection asks for. ${advice}`)
    }
    for (let look = 0; look < looks; look += 1) {
      const pids = await inTransaction(db, async (other) => [(await readSession(other)).pid, (await readSession(ours)).pid])
      if (pids[0] === before.pid || pids[1] !== before.pid) throw new Error(isShared)
    }
  })
  await looking.catch((error: unknown) => {
    throw errorCodeOf(error) === preparedByAnother ? new Error(isShared, { cause: error }) : error
  })
}

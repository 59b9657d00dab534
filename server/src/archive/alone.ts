import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'
import { OperatorRequestError } from '../platform/operator-request-error.ts'

const lock = sql`hashtextextended('makola archive', 0)`

/**
 * Lets one process at a time put months away or bring them back. PostgreSQL gives the lock back when the process is killed.
 * @throws OperatorRequestError while another process is at it
 */
export function alone<T>(db: Db, work: () => Promise<T>): Promise<T> {
  return db.connection().execute(async (connection) => {
    const { rows } = await sql<{ isOurs: boolean }>`select pg_try_advisory_lock(${lock}) as "isOurs"`.execute(connection)
    if (!rows[0]?.isOurs)
      throw new OperatorRequestError('Another process is putting a month away or bringing one back. Try again later.')
    try {
      return await work()
    } finally {
      await sql`select pg_advisory_unlock(${lock})`.execute(connection)
    }
  })
}

import type { Db, Tx } from './database.ts'

/**
 * Runs `work` in one transaction, and returns its result once the server has answered COMMIT. If the server answers with
 * ROLLBACK instead, Kysely throws an error. Anything thrown inside rolls back and is thrown on.
 */
export function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction().execute(work)
}

import type { Db, Tx } from './database.ts'

/**
 * Runs `work` in one transaction and returns its result once COMMIT has been answered with COMMIT
 * (Kysely turns a ROLLBACK tag into an error). Anything thrown inside rolls back and is thrown on.
 */
export function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction().execute(work)
}

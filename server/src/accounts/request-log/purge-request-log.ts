import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import type { Timer } from '../../platform/housekeeping/run-timers.ts'

export const requestLogDays = 30

const rowsPerStatement = 5_000

/**
 * Deletes calls that are older than `requestLogDays`, some at a time, so that no transaction is long. A run may stop
 * anywhere, and a second run does no harm.
 */
export async function purgeRequestLog(db: Db): Promise<void> {
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      delete from request_log where ctid = any (array(
        select ctid from request_log
        where called_at < clock_timestamp() - make_interval(days => ${requestLogDays})
        limit ${rowsPerStatement}))`.execute(db)
    if (numAffectedRows < rowsPerStatement) return
  }
}

/** A run every ten minutes deletes only about ten minutes of calls, so it ends soon. */
export function requestLogTimer(db: Db): Timer {
  return { name: 'request log', everySeconds: 600, isExclusive: true, run: () => purgeRequestLog(db) }
}

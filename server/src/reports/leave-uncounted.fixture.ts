import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'

/**
 * Puts the daily sums into the state before the worker has counted the days before `firstDay`. Without `firstDay`, into the
 * state before it has counted anything.
 */
export async function leaveUncounted(db: Db, firstDay?: string): Promise<void> {
  const isForgotten = firstDay === undefined ? sql`true` : sql`day < ${firstDay}::date`
  await sql`delete from daily_figures where ${isForgotten}`.execute(db)
  await sql`delete from daily_purses where ${isForgotten}`.execute(db)
  if (firstDay === undefined) await db.deleteFrom('report_progress').execute()
  else await sql`update report_progress set first_day = ${firstDay}::date`.execute(db)
}

import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'

/**
 * Leaves the daily sums as they are while the worker still counts the days before this one. Without a day, as they are before
 * it has counted anything.
 */
export async function leaveUncounted(db: Db, firstDay?: string): Promise<void> {
  const isForgotten = firstDay === undefined ? sql`true` : sql`day < ${firstDay}::date`
  await sql`delete from daily_figures where ${isForgotten}`.execute(db)
  await sql`delete from daily_purses where ${isForgotten}`.execute(db)
  if (firstDay === undefined) await db.deleteFrom('report_progress').execute()
  else await sql`update report_progress set first_day = ${firstDay}::date`.execute(db)
}

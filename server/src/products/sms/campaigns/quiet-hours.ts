import { sql } from 'kysely'
import type { Db } from '../../../platform/database/database.ts'

/**
 * When the quiet hours end that hold a send back.
 * @param numbers how many the request names, with those that have opted out; a text to one is never held back
 * @param at when it is to go out; undefined: now
 * @returns null when it goes out at its time
 */
export async function findQuietEnd(db: Db, numbers: number, at?: Date): Promise<Date | null> {
  if (numbers < 2) return null
  const { rows } = await sql<{ ends_at: Date | null }>`
    select quiet_until(coalesce(${at ?? null}::timestamptz, clock_timestamp())) as ends_at`.execute(db)
  return rows[0]?.ends_at ?? null
}

import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'

/**
 * How many days after the last look-up a holder's name is kept. These people are not our customers, so it is not kept
 * longer.
 */
const keptDays = 90

/** Deletes the names of holders whose account nobody looked up lately; payments made before have kept theirs. */
export async function purgeLookedUpAccounts(db: Db): Promise<void> {
  await sql`delete from looked_up_accounts where looked_up_at < now() - make_interval(days => ${keptDays})`.execute(db)
}

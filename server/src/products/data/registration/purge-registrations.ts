import { sql } from 'kysely'
import type { Db } from '../../../platform/database/database.ts'
import { registeredDays } from './known-registrations.ts'

/** Deletes what is too old to be believed: nobody reads it any more. */
export async function purgeRegistrations(db: Db): Promise<void> {
  await sql`
    delete from registrations
    where checked_at < now() - make_interval(days => ${registeredDays})`.execute(db)
}

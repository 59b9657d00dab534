import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'

/** A mail that could not be sent for so long is given up, because it would come too late to help its reader. */
const mailWaitHours = 72
const mailKeepDays = 7

/**
 * Deletes sessions, links, invitations and counts of tries whose time is over, and mails that were sent or given up long ago.
 * Gives up mails that could not be sent in time.
 */
export async function clearPeoplesLeftovers(db: Db): Promise<void> {
  await sql`delete from person_sessions where expires_at < clock_timestamp()`.execute(db)
  await sql`delete from person_verifications where expires_at < clock_timestamp()`.execute(db)
  await sql`delete from member_invitations where expires_at < clock_timestamp()`.execute(db)
  await sql`
    delete from rate_limits
    where key like 'person %' and expire < extract(epoch from clock_timestamp()) * 1000`.execute(db)
  await sql`
    update person_mails set state = 'failed', reason = 'there was no way out for it in time', ended_at = clock_timestamp()
    where state = 'queued' and created_at < clock_timestamp() - make_interval(hours => ${mailWaitHours})`.execute(db)
  await sql`
    delete from person_mails where ended_at < clock_timestamp() - make_interval(days => ${mailKeepDays})`.execute(db)
}

import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { MessageTransports } from '../notices/message-transports.ts'
import type { Db } from '../platform/database/database.ts'
import type { Timer } from '../platform/housekeeping/run-timers.ts'
import { endForgottenLostFactors } from './lost-factor/lost-factors.ts'
import type { ComposeReport } from './mails/composed-mail.ts'
import { isPersonMailWaiting, sendPersonMails } from './mails/send-person-mails.ts'
import type { PeopleDeps } from './people-deps.ts'
import { endViewsThatAreOver } from './views/view-as-reseller.ts'

/** A mail that could not be sent for so long is given up, because it would come too late to help its reader. */
const mailWaitHours = 72
const mailKeepDays = 7

/**
 * Deletes sessions, links, invitations, reports of lost second factors and counts of tries whose time is over, and mails that
 * were sent or given up long ago. Gives up mails that could not be sent in time.
 */
export async function purgeExpiredPersonRows(db: Db): Promise<void> {
  await sql`delete from person_sessions where expires_at < clock_timestamp()`.execute(db)
  await sql`delete from person_verifications where expires_at < clock_timestamp()`.execute(db)
  await endForgottenLostFactors(db)
  await sql`delete from member_invitations where expires_at < clock_timestamp()`.execute(db)
  // All counts, also those of other folders: an API process that counts in its own memory deletes none.
  await sql`delete from rate_limits where expire < extract(epoch from clock_timestamp()) * 1000`.execute(db)
  await sql`
    update person_mails set state = 'failed', reason = 'there was no way out for it in time', ended_at = clock_timestamp()
    where state = 'queued' and created_at < clock_timestamp() - make_interval(hours => ${mailWaitHours})`.execute(db)
  await sql`
    delete from person_mails where ended_at < clock_timestamp() - make_interval(days => ${mailKeepDays})`.execute(db)
}

/** The timers that send mails to persons, end views of accounts whose time is over, and delete expired rows. */
export function peopleTimers(
  people: PeopleDeps,
  transports: () => MessageTransports,
  log: Logger,
  composeReport: ComposeReport,
): Timer[] {
  return [
    {
      // Runs often, because a person waits for the mail. Several workers share the mails.
      name: 'mails to persons',
      everySeconds: 2,
      isExclusive: false,
      isDue: isPersonMailWaiting,
      run: () => sendPersonMails({ ...people, ...transports(), log, isKeeping: people.isKeepingMails, composeReport }),
    },
    { name: 'views that are over', everySeconds: 30, isExclusive: true, run: () => endViewsThatAreOver(people.db) },
    { name: 'leftovers of persons', everySeconds: 3_600, isExclusive: true, run: () => purgeExpiredPersonRows(people.db) },
  ]
}

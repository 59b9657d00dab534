import type { Logger } from 'pino'
import type { MailServer } from '../notices/send-mail.ts'
import type { Timer } from '../platform/housekeeping/run-timers.ts'
import { clearPeoplesLeftovers } from './clear-leftovers.ts'
import type { ComposeReport } from './mails/compose-person-mail.ts'
import { isPersonMailWaiting, sendPersonMails } from './mails/send-person-mails.ts'
import type { PeopleDeps } from './people-deps.ts'
import { endViewsThatAreOver } from './views/view-as-reseller.ts'

/** The timers of persons: their mails, their views of accounts, and what is past its time. */
export function peopleTimers(
  people: PeopleDeps,
  mailServer: MailServer | undefined,
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
      run: () => sendPersonMails({ ...people, log, mailServer, isKeeping: people.isKeepingMails, composeReport }),
    },
    { name: 'views that are over', everySeconds: 30, isExclusive: true, run: () => endViewsThatAreOver(people.db) },
    { name: 'leftovers of persons', everySeconds: 3_600, isExclusive: true, run: () => clearPeoplesLeftovers(people.db) },
  ]
}

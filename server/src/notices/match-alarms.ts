import { type RawBuilder, sql } from 'kysely'
import type { Logger } from 'pino'
import type { Db } from '../platform/database/database.ts'
import { clearAlarms } from './clear-alarm.ts'
import { type Alarm, logAlarms, raiseAlarms } from './raise-alarm.ts'

/** An SQL condition for timers that clear alarms: true while an alarm of this name is open. */
export function isAlarmOpen(name: string): RawBuilder<boolean> {
  return sql<boolean>`exists (select from alarms where name = ${name} and cleared_at is null)`
}

/** The cause of an alarm whose name is given separately. */
export type AlarmCause = Omit<Alarm, 'name'>

/**
 * Makes the open alarms of a name match the causes found now: one alarm is open for each cause, and alarms without a cause are
 * cleared. For code that checks a condition again and again. Changes are logged.
 * @param examined the checked subjects, if not all were checked: alarms about other subjects are not changed
 */
export async function matchAlarms(
  db: Db,
  log: Pick<Logger, 'error' | 'info'>,
  name: string,
  causes: readonly AlarmCause[],
  examined?: readonly string[],
): Promise<void> {
  const raised = await raiseAlarms(
    db,
    causes.map((cause) => ({ name, ...cause })),
  )
  logAlarms(log, raised)
  const withCause = causes.map(({ subject }) => subject)
  const cleared = await clearAlarms(db, name, withCause, examined)
  for (const subject of cleared) log.info({ alarm: name, subject }, 'alarm cleared')
}

import type { Logger } from 'pino'
import type { Db } from '../platform/database/database.ts'
import { clearAlarms } from './clear-alarm.ts'
import { type Alarm, raiseAlarms } from './raise-alarm.ts'

/** What gives an alarm of a known name its reason to stand. */
export type AlarmCause = Pick<Alarm, 'subject' | 'message'>

/**
 * Makes the open alarms of a name match what was found just now: one stands for each cause, and those without a cause
 * are cleared. Whatever looks at a condition again and again calls this, and the log says what changed.
 *
 * @param examined the subjects that were looked at, when that is not all of them: an alarm about another stays as it is
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
    causes.map(({ subject, message }) => ({ name, subject, message })),
  )
  for (const { subject, message } of raised) log.error({ alarm: name, subject }, message)
  const withCause = causes.map(({ subject }) => subject)
  const cleared = await clearAlarms(db, name, withCause, examined)
  for (const subject of cleared) log.info({ alarm: name, subject }, 'alarm cleared')
}

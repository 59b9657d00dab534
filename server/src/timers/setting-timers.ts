import { sql } from 'kysely'
import type { Logger } from 'pino'
import { allSettings } from '../all-settings.ts'
import { isAlarmOpen, matchAlarms } from '../notices/match-alarms.ts'
import type { Db } from '../platform/database/database.ts'
import type { Timer } from '../platform/housekeeping/run-timers.ts'
import { isSettingReturnDue, isSettingReturnRefused, returnDueSettings } from '../platform/settings/return-due-settings.ts'
import { listSettingReturns } from '../platform/settings/setting-returns.ts'

const notReturnedAlarm = 'setting_not_returned'

/**
 * Raises an alarm for each setting that could not return to its earlier value, and clears the alarms of those that have returned.
 */
export async function watchRefusedReturns(db: Db, log: Pick<Logger, 'error' | 'info'>): Promise<void> {
  const causes = (await listSettingReturns(db)).flatMap(({ name, refusedBecause, returnsTo }) =>
    refusedBecause === null
      ? []
      : [
          {
            subject: name,
            message: `${name} cannot return to ${JSON.stringify(returnsTo)}: ${refusedBecause} It is tried again.`,
          },
        ],
  )
  await matchAlarms(db, log, notReturnedAlarm, causes)
}

/**
 * The timers that return temporary settings to their earlier values and raise alarms about refused returns. Every worker returns
 * settings each second, so one running worker is enough.
 */
export function settingTimers(db: Db, log: Logger): Timer[] {
  return [
    {
      name: 'setting returns',
      everySeconds: 1,
      isExclusive: false,
      isDue: isSettingReturnDue,
      run: () => returnDueSettings(db, allSettings),
    },
    {
      name: 'refused setting returns',
      everySeconds: 15,
      isExclusive: true,
      isDue: sql`${isSettingReturnRefused} or ${isAlarmOpen(notReturnedAlarm)}`,
      run: () => watchRefusedReturns(db, log),
    },
  ]
}

import { hostname } from 'node:os'
import type { Logger } from 'pino'
import { archiveAfterMonths } from '../archive/archive.settings.ts'
import { listDueMonths } from '../archive/list-due-months.ts'
import { type ArchiveDeps, putMonthAway } from '../archive/put-away.ts'
import { watchArchive } from '../archive/watch-archive.ts'
import { matchAlarms } from '../notices/match-alarms.ts'
import { findBackupTroubles } from '../platform/backups/backups.ts'
import type { Db } from '../platform/database/database.ts'
import type { Timer } from '../platform/housekeeping/run-timers.ts'
import { OperatorRequestError } from '../platform/operator-request-error.ts'
import { readSetting } from '../platform/settings/settings.ts'

type ArchiveWork = Omit<ArchiveDeps, 'actor'> & { readonly log: Pick<Logger, 'info' | 'warn'> }

/** The month that is `count` months before the present one: `2025-03`. */
function monthsAgo(count: number): string {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - count)).toISOString().slice(0, 7)
}

/**
 * Puts months away that are old enough by the setting, and finishes those that were begun, unless their files are on another
 * machine. A month that was brought back is left to people.
 */
export async function putDueMonthsAway({ log, ...work }: ArchiveWork): Promise<void> {
  const after = await readSetting(work.db, archiveAfterMonths)
  const limit = monthsAgo(after)
  for (const month of await listDueMonths(work.db, monthsAgo(0))) {
    const isBegun = month.isBegun && (month.host === null || month.host === hostname())
    const isDue = after > 0 && month.month < limit && month.isOldEnough && !month.wasBroughtBack
    if (!isBegun && (month.isBegun || !isDue)) continue
    try {
      const state = await putMonthAway({ ...work, actor: 'worker' }, month)
      log.info({ month: month.month, state }, 'a month was put away')
    } catch (error) {
      if (!(error instanceof OperatorRequestError)) throw error
      log.warn({ month: month.month, reason: error.message }, 'a month could not be put away')
    }
  }
}

export function archiveTimers(work: ArchiveWork & { readonly log: Logger }): Timer[] {
  return [
    { name: 'putting away', everySeconds: 3_600, isExclusive: true, isBackground: true, run: () => putDueMonthsAway(work) },
    { name: 'watch of the put-away files', everySeconds: 3_600, isExclusive: false, run: () => watchArchive(work.db, work.log) },
  ]
}

const oldAlarm = 'backup_old'

/** Raises an alarm while the newest backup is too old, or the write-ahead log is not copied. */
export function backupTimer(db: Db, log: Pick<Logger, 'error' | 'info'>): Timer {
  return {
    name: 'watch of the backups',
    everySeconds: 600,
    isExclusive: true,
    run: async () => matchAlarms(db, log, oldAlarm, await findBackupTroubles(db)),
  }
}

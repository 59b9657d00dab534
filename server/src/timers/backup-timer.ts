import type { Logger } from 'pino'
import { matchAlarms } from '../notices/match-alarms.ts'
import { findBackupTroubles } from '../platform/backups/backups.ts'
import type { Db } from '../platform/database/database.ts'
import type { Timer } from '../platform/housekeeping/run-timers.ts'

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

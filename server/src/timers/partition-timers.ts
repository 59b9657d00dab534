import type { Logger } from 'pino'
import { matchAlarms } from '../notices/match-alarms.ts'
import type { Db } from '../platform/database/database.ts'
import { recordDataSize } from '../platform/disk/data-sizes.ts'
import type { Timer } from '../platform/housekeeping/run-timers.ts'
import { createPartitions, listTablesWithoutNextPartition, maintainPartitions } from '../platform/partitions/partitions.ts'

const missingAlarm = 'partition_missing'

/** Raises an alarm for each table without a partition for the next month: when that month begins, no order could be placed. */
export async function watchPartitions(db: Db, log: Pick<Logger, 'error' | 'info'>): Promise<void> {
  const causes = (await listTablesWithoutNextPartition(db)).map((name) => ({
    subject: name,
    message: `The table ${name} has no partition for the next month. Without it no order is placed then. Run \`makola migrate\`.`,
  }))
  await matchAlarms(db, log, missingAlarm, causes)
}

/**
 * Makes the partitions of the next two months, keeps old ones frozen, and keeps statistics up to date. Another timer raises the
 * alarm, so it works even when making partitions fails.
 */
export function partitionTimers(db: Db, log: Logger): Timer[] {
  return [
    { name: 'partitions of tables', everySeconds: 3_600, isExclusive: true, run: () => createPartitions(db) },
    {
      name: 'care of the partitions',
      everySeconds: 3_600,
      isExclusive: true,
      isBackground: true,
      run: () => maintainPartitions(db),
    },
    { name: 'size of the data', everySeconds: 3_600, isExclusive: true, run: () => recordDataSize(db) },
    { name: 'watch of the partitions', everySeconds: 600, isExclusive: true, run: () => watchPartitions(db, log) },
  ]
}

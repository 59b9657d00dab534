import { hostname } from 'node:os'
import type { Logger } from 'pino'
import { type AlarmCause, matchAlarms } from '../notices/match-alarms.ts'
import type { Db } from '../platform/database/database.ts'
import { findMissingFile, listArchivedMonths } from './month-files.ts'

export const missingFileAlarm = 'archive_file_missing'

/**
 * Raises an alarm for each month whose files this machine wrote, when one of them is missing or has another size, or their
 * manifest was changed. Once the rows are dropped, the files are their only copy. Workers on other machines check the files there.
 */
export async function watchArchive(db: Db, log: Pick<Logger, 'error' | 'info'>): Promise<void> {
  const causes: AlarmCause[] = []
  const examined: string[] = []
  for (const { month, folder, host, manifestHash } of await listArchivedMonths(db)) {
    if (folder === null || host !== hostname()) continue
    examined.push(month)
    const missing = await findMissingFile(folder, manifestHash)
    if (missing === undefined) continue
    const message = `${missing} is missing on ${host}, or not as it was written. Copy it there from the other machine.`
    causes.push({ subject: month, message })
  }
  await matchAlarms(db, log, missingFileAlarm, causes, examined)
}

import type { Db } from '../../platform/database/database.ts'
import { beginGap } from '../../platform/history/gaps.ts'
import { compareMark, connectionOf, readHistory } from '../../platform/history/mark.ts'
import { openMarkFile } from '../../platform/history/mark-file.ts'
import { raiseHistoryAlarm } from './history-alarm.ts'

/** True when the folder has a mark of this database, and the database has everything that the mark proves. */
async function hasWholeHistory(db: Db, dataDir: string): Promise<boolean> {
  const { database_id: databaseId } = await db.selectFrom('history_mark').select('database_id').executeTakeFirstOrThrow()
  const known = await openMarkFile(dataDir).read(databaseId)
  if (!known) return false
  return compareMark(known, await readHistory(connectionOf(db), known)) === 'fine'
}

type Restored = { readonly dataDir: string | undefined; readonly noticedBy: string; readonly reason: string }

/**
 * Stops sales and sends on a restored database until people have looked, because nobody knows whether the backup holds the last
 * commits. Does nothing when the mark in `dataDir` proves that nothing is missing.
 * @returns whether they are stopped
 */
export async function holdRestored(db: Db, { dataDir, noticedBy, reason }: Restored): Promise<boolean> {
  if (dataDir !== undefined && (await hasWholeHistory(db, dataDir))) return false
  const gap = await beginGap(db, { noticedBy, reason })
  await raiseHistoryAlarm(db, { error: () => undefined }, gap)
  return true
}

import type { Db } from '../../platform/database/database.ts'
import { beginGap } from '../../platform/history/gaps.ts'
import { hasWholeHistory } from '../../platform/history/history-watch.ts'
import { openMarkFile } from '../../platform/history/mark-file.ts'
import { raiseHistoryAlarm } from './history-alarm.ts'

type Restored = { readonly dataDir: string | undefined; readonly noticedBy: string; readonly reason: string }

/**
 * Holds a restored database until people have looked, because nobody can tell whether the copy is the newest. Where the folder
 * remembers this database and finds all that it knows, nothing is held.
 * @returns whether it is held
 */
export async function holdRestored(db: Db, { dataDir, noticedBy, reason }: Restored): Promise<boolean> {
  if (dataDir !== undefined && (await hasWholeHistory(db, openMarkFile(dataDir)))) return false
  const gap = await beginGap(db, { noticedBy, reason })
  await raiseHistoryAlarm(db, { error: () => undefined }, gap)
  return true
}

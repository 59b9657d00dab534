import { pino } from 'pino'
import type { Db } from '../src/platform/database/database.ts'
import { type Forgetting, forgetOldData } from '../src/platform/forgetting/forget-old-data.ts'
import { wholeShare } from '../src/platform/housekeeping/background-share.ts'

/** Forgets what is old enough, as a worker's timer does. */
export function forgetNow(db: Db, ...forgettings: readonly Forgetting[]): Promise<void> {
  return forgetOldData({ db, log: pino({ level: 'silent' }), share: wholeShare }, forgettings)
}

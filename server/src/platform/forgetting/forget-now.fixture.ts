import { pino } from 'pino'
import type { Db } from '../database/database.ts'
import { wholeShare } from '../housekeeping/background-share.ts'
import { type Forgetting, forgetOldData } from './forget-old-data.ts'

/** Forgets what is old enough, as a worker's timer does. */
export function forgetNow(db: Db, ...forgettings: readonly Forgetting[]): Promise<void> {
  return forgetOldData({ db, log: pino({ level: 'silent' }), share: wholeShare }, forgettings)
}

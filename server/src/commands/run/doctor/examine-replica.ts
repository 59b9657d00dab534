import { sql } from 'kysely'
import type { Config } from '../../../config.ts'
import { connectDatabase, type Db } from '../../../platform/database/database.ts'
import { applicationRole } from '../../../platform/database/migrate.ts'
import { replicaDelaySeconds } from '../../../platform/platform.settings.ts'
import { readSetting } from '../../../platform/settings/settings.ts'
import type { Finding } from './finding.ts'

/** The primary's clock makes `moved_at`, also on a replica, so the two moments can be compared. */
const readHistoryMark = async (db: Db) =>
  (
    await sql<{ database_id: string; moved_at: Date; feedback: string }>`
      select database_id, moved_at, current_setting('hot_standby_feedback') as feedback from history_mark`.execute(db)
  ).rows[0]

/** Compares what the replica knows with the database. Without DATABASE_READ_URL there is nothing to find. */
export async function examineReplica({ readDatabaseUrl: url }: Config, db: Db): Promise<Finding[]> {
  if (url === undefined) return []
  const topic = 'read replica'
  const replica = connectDatabase({ url, role: applicationRole, poolSize: 1, applicationName: 'makola doctor', isStandby: true })
  try {
    const own = await readHistoryMark(db)
    const known = await readHistoryMark(replica)
    if (!own || known?.database_id !== own.database_id) {
      return [{ level: 'problem', topic, message: 'DATABASE_READ_URL leads to another database than DATABASE_URL.' }]
    }
    const seconds = Math.round((own.moved_at.getTime() - known.moved_at.getTime()) / 1_000)
    const most = await readSetting(db, replicaDelaySeconds)
    const findings: Finding[] = [
      seconds > most
        ? { level: 'warning', topic, message: `It is ${seconds} s behind, so all is read from the database itself.` }
        : { level: 'ok', topic, message: 'It follows the database.' },
    ]
    if (known.feedback === 'on') return findings
    const message = 'hot_standby_feedback is off: the standby cancels long reports, which the database itself is then asked for.'
    return [...findings, { level: 'warning', topic, message }]
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return [{ level: 'warning', topic, message: `It cannot be used, so all is read from the database itself: ${reason}` }]
  } finally {
    await replica.destroy()
  }
}

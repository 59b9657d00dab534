import { sql } from 'kysely'
import type { Db } from '../database/database.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { appendOperatorLog } from '../operator-log/append-operator-log.ts'
import { backupAlarmHours } from '../platform.settings.ts'
import { readSetting } from '../settings/settings.ts'

/** Rows are kept for a year and a month. */
const keptDays = 400

/** The server tries again every minute. If archiving still fails after this time, a person must look. */
const archiveLateMinutes = 15

export type Backup = {
  readonly madeAt: Date
  readonly kind: string
  readonly place: string
  /** Null when the program that made it did not say. */
  readonly bytes: number | null
}

export function recordBackup(db: Db, { madeAt, kind, place, bytes }: Backup, actor: string): Promise<void> {
  return inTransaction(db, async (tx) => {
    await tx.insertInto('backups').values({ made_at: madeAt, kind, place, bytes }).execute()
    await sql`delete from backups where made_at < clock_timestamp() - make_interval(days => ${keptDays})`.execute(tx)
    await appendOperatorLog(tx, {
      actor,
      action: 'backup note',
      subject: kind,
      details: { place, made_at: madeAt.toISOString() },
    })
  })
}

export function listNewestBackups(db: Db, limit: number): Promise<Backup[]> {
  return db
    .selectFrom('backups')
    .select(['made_at as madeAt', 'kind', 'place', 'bytes'])
    .orderBy('made_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** The server's own report on copying the segments of its write-ahead log to another place (`pg_stat_archiver`). */
export type LogArchive = {
  readonly isOn: boolean
  readonly lastArchivedAt: Date | null
  readonly lastFailedAt: Date | null
  /** The last copy failed, and none has succeeded for `archiveLateMinutes`. */
  readonly isLate: boolean
}

export async function readLogArchive(db: Db): Promise<LogArchive> {
  const { rows } = await sql<LogArchive>`
    select current_setting('archive_mode') <> 'off' as "isOn", last_archived_time as "lastArchivedAt",
      last_failed_time as "lastFailedAt",
      current_setting('archive_mode') <> 'off' and last_failed_time > coalesce(last_archived_time, '-infinity')
        and coalesce(last_archived_time, stats_reset, '-infinity') < clock_timestamp() - make_interval(mins => ${archiveLateMinutes})
        is true as "isLate"
    from pg_stat_archiver`.execute(db)
  return rows[0] ?? { isOn: false, lastArchivedAt: null, lastFailedAt: null, isLate: false }
}

export type BackupTrouble = { readonly subject: 'backup' | 'log'; readonly message: string }

async function isLive(db: Db): Promise<boolean> {
  const row = await db.selectFrom('installation').select('mode').executeTakeFirst()
  return row?.mode === 'live'
}

/**
 * Finds what is wrong with the backups and the copies of the log. Finds nothing without real money, or while
 * `backup_alarm_hours` is 0.
 */
export async function findBackupTroubles(db: Db): Promise<BackupTrouble[]> {
  const hours = await readSetting(db, backupAlarmHours)
  if (hours === 0 || !(await isLive(db))) return []
  const [newest] = await listNewestBackups(db, 1)
  const archive = await readLogArchive(db)
  const troubles: BackupTrouble[] = []
  if (!newest) {
    const message = 'No backup of the database is known. Make one, and tell of it: `makola backup note --help`.'
    troubles.push({ subject: 'backup', message })
  } else if (Date.now() - newest.madeAt.getTime() > hours * 3_600_000) {
    const age = Math.floor((Date.now() - newest.madeAt.getTime()) / 3_600_000)
    const message = `The newest backup that is known is ${age} hours old (${newest.kind}, ${newest.place}). At most ${hours} are allowed by backup_alarm_hours.`
    troubles.push({ subject: 'backup', message })
  }
  if (archive.isLate) {
    const message =
      'The database server cannot copy its write-ahead log: archive_command fails. See its log for the reason; its disk fills meanwhile.'
    troubles.push({ subject: 'log', message })
  }
  return troubles
}

import { resolve } from 'node:path'
import process from 'node:process'
import { type Config, readConfig } from '../config.ts'
import { holdRestored } from '../orders/history/hold-restored.ts'
import { findBackupTroubles, listNewestBackups, readLogArchive, recordBackup } from '../platform/backups/backups.ts'
import { layOutTable, showMoment, showSize } from '../platform/texts-for-people.ts'
import { CommandError, UsageError } from './frame/command-error.ts'
import { operatorName } from './frame/operator-name.ts'
import { printResult } from './frame/print-result.ts'
import { openProgressLine } from './frame/progress-line.ts'
import { readCount, readMoment, readText } from './frame/read-options.ts'
import { withDatabase } from './frame/with-database.ts'

export type BackupOptions = { to?: string; keep?: string }
export type NoteOptions = { kind: string; place: string; bytes?: string; at?: string }

const backupsMax = 1_000
const bytesMax = 1e15
const shownBackups = 10

/** Only the embedded server keeps its files in DATA_DIR. */
function mustBeEmbedded({ databaseUrl }: Config): void {
  if (databaseUrl === undefined) return
  throw new CommandError(
    'The database of DATABASE_URL is backed up by its own tools, such as pgBackRest or pg_dump. Tell of each backup with `makola backup note`.',
  )
}

async function withProgress<T>(work: (onProgress: (bytes: number) => void) => Promise<T>): Promise<T> {
  const line = openProgressLine(process.stderr, showSize)
  try {
    return await work((bytes) => line.show(bytes))
  } catch (error) {
    throw new CommandError(error instanceof Error ? error.message : String(error))
  } finally {
    line.close()
  }
}

export async function runBackup({ to = '', keep }: BackupOptions): Promise<void> {
  const config = readConfig()
  mustBeEmbedded(config)
  const kept = keep === undefined ? undefined : readCount('--keep', keep, { least: 1, most: backupsMax })
  const into = resolve(to)
  const { backUpEmbedded, removeOldBackups } = await import('../platform/database/embedded/back-up-cluster.ts')
  const made = await withDatabase(config, async (db) => {
    const backup = await withProgress((onProgress) => backUpEmbedded(config.dataDir, into, onProgress))
    const { folder: place, bytes, endedAt: madeAt } = backup
    await recordBackup(db, { madeAt, kind: 'makola', place, bytes }, operatorName())
    return backup
  })
  const removed = kept === undefined ? [] : await removeOldBackups(into, kept)
  const lines = [
    `The database is in ${made.folder}, ${showSize(made.bytes)}. Copy it to another machine, and keep SECRETS_KEY apart from it.`,
    ...removed.map((folder) => `Removed ${folder}.`),
  ]
  printResult({ folder: made.folder, bytes: made.bytes, made_at: made.endedAt.toISOString(), removed }, lines.join('\n'))
}

export async function runBackupRestore(backup: string): Promise<void> {
  const config = readConfig()
  mustBeEmbedded(config)
  const { restoreEmbedded } = await import('../platform/database/embedded/restore-cluster.ts')
  const { endedAt } = await withProgress((onProgress) => restoreEmbedded(resolve(backup), config.dataDir, onProgress))
  const moment = showMoment(new Date(endedAt))
  const { dataDir } = config
  const isHeld = await withDatabase(config, (db) =>
    holdRestored(db, { dataDir, noticedBy: operatorName(), reason: `the backup of ${moment} was restored` }),
  )
  const held =
    'Orders that were placed after that moment are not in it. Nothing is sold or sent until two people have run `makola history accept`: see docs/operating/history.md.'
  printResult(
    { restored: true, made_at: endedAt, is_held: isHeld },
    `The database of ${moment} is in ${dataDir}. ${isHeld ? held : 'It is as new as DATA_DIR remembers it.'}`,
  )
}

export async function runBackupNote(options: NoteOptions): Promise<void> {
  const kind = readText('--kind', options.kind, 40)
  if (!/^[a-z][a-z0-9_-]*$/.test(kind))
    throw new UsageError('--kind must be lower-case letters, digits, "-" and "_", such as pg_dump.')
  const place = readText('--place', options.place)
  const bytes = options.bytes === undefined ? null : readCount('--bytes', options.bytes, { least: 0, most: bytesMax })
  const madeAt = options.at === undefined ? new Date() : readMoment('--at', options.at)
  if (madeAt.getTime() > Date.now() + 60_000) throw new UsageError('--at must not be in the future.')
  await withDatabase(readConfig(), (db) => recordBackup(db, { madeAt, kind, place, bytes }, operatorName()))
  printResult({ kind, place, bytes, made_at: madeAt.toISOString() }, `Noted: ${kind} of ${showMoment(madeAt)}, in ${place}.`)
}

export async function runBackupStatus(): Promise<void> {
  const { backups, archive, troubles } = await withDatabase(readConfig(), async (db) => ({
    backups: await listNewestBackups(db, shownBackups),
    archive: await readLogArchive(db),
    troubles: await findBackupTroubles(db),
  }))
  const rows = backups.map(({ madeAt, kind, place, bytes }) => [
    showMoment(madeAt),
    kind,
    bytes === null ? '' : showSize(bytes),
    place,
  ])
  const table = layOutTable([['made', 'by', 'size', 'where'], ...rows])
  const log = archive.isOn
    ? `Copying of the write-ahead log: on, last done ${archive.lastArchivedAt ? showMoment(archive.lastArchivedAt) : 'never'}.`
    : 'Copying of the write-ahead log: off. What was sold since the newest backup is in no backup.'
  const lines = [
    backups.length === 0 ? 'No backup is known.' : table,
    '',
    log,
    ...troubles.map(({ message }) => `PROBLEM  ${message}`),
  ]
  printResult(
    {
      ok: troubles.length === 0,
      backups: backups.map(({ madeAt, ...backup }) => ({ made_at: madeAt.toISOString(), ...backup })),
      log_archive: {
        on: archive.isOn,
        last_archived_at: archive.lastArchivedAt?.toISOString() ?? null,
        last_failed_at: archive.lastFailedAt?.toISOString() ?? null,
      },
      problems: troubles.map(({ message }) => message),
    },
    lines.join('\n'),
  )
  if (troubles.length > 0) process.exitCode = 1
}

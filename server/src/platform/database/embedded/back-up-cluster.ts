import { createHash } from 'node:crypto'
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import {
  type BackupFile,
  type BackupManifest,
  copyFile,
  dataFolderOf,
  listTree,
  makeFolder,
  manifestFileOf,
  sync,
} from './backup-files.ts'
import { administratorRole } from './cluster-settings.ts'
import { findLiveServer } from './live-server.ts'
import { clusterFolderOf, clusterNameOf } from './socket-folder.ts'

/**
 * Folders that are copied without their files: a restored server makes these anew (PostgreSQL, "Making a Base Backup Using the Low
 * Level API").
 */
const emptyFolders = /^(?:pg_wal|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans|log)\//
const leftOutFiles =
  /(?:^|\/)(?:pgsql_tmp[^/]*|pg_internal\.init[^/]*)$|^(?:postmaster\.(?:pid|opts)|start\.log|backup_label(?:\.old)?|tablespace_map(?:\.old)?)$/
const isLeftOut = (path: string) => emptyFolders.test(path) || leftOutFiles.test(path)

/** The name of a segment of the write-ahead log: timeline, then position. */
const segmentPattern = /^[0-9A-F]{24}$/

export type MadeBackup = { readonly folder: string; readonly bytes: number; readonly endedAt: Date }

type CopyDeps = { readonly from: string; readonly to: string; readonly onProgress: (bytes: number) => void }

/** Copies the files of a running server's data folder. A file of a table that is dropped meanwhile may be missing. */
async function copyTree({ from, to, onProgress }: CopyDeps): Promise<BackupFile[]> {
  const files: BackupFile[] = []
  let bytes = 0
  await makeFolder(to, '')
  for (const { path, isFolder } of await listTree(from, isLeftOut)) {
    if (isFolder) {
      await makeFolder(to, path)
      continue
    }
    const written = await copyFile(join(from, path), join(to, path)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' && error.path === join(from, path)) return undefined
      throw error
    })
    if (!written) continue
    files.push({ path, ...written })
    bytes += written.bytes
    onProgress(bytes)
  }
  return files
}

/** Copies the segments of the write-ahead log from `first` to `last`, and the history of its timelines. */
async function copyLog({ from, to }: CopyDeps, first: string, last: string): Promise<BackupFile[]> {
  const files: BackupFile[] = []
  for (const name of (await readdir(join(from, 'pg_wal'))).toSorted()) {
    const isWanted = segmentPattern.test(name) ? name >= first && name <= last : name.endsWith('.history')
    if (!isWanted) continue
    const path = `pg_wal/${name}`
    files.push({ path, ...(await copyFile(join(from, path), join(to, path))) })
  }
  if (!files.some(({ path }) => path.endsWith(last))) throw new Error(`the segment ${last} of the write-ahead log is missing`)
  return files
}

async function writeLabel(to: string, text: string): Promise<BackupFile> {
  await writeFile(join(to, 'backup_label'), text, { mode: 0o600 })
  await sync(join(to, 'backup_label'))
  return { path: 'backup_label', bytes: Buffer.byteLength(text), sha256: createHash('sha256').update(text).digest('hex') }
}

async function connectAsAdministrator(folder: string): Promise<pg.Client> {
  const server = await findLiveServer(folder, clusterNameOf(folder))
  if (!server) throw new Error(`no database server runs in ${folder}`)
  const client = new pg.Client({
    host: server.socketFolder,
    port: server.port,
    user: administratorRole,
    database: 'postgres',
    application_name: 'makola backup',
  })
  await client.connect()
  return client
}

type Ended = { label: string; map: string; end: string; last: string }

/**
 * Copies all between `pg_backup_start` and `pg_backup_stop`: meanwhile the server writes whole pages and keeps its write-ahead
 * log.
 */
async function copyRunning(client: pg.Client, deps: CopyDeps): Promise<BackupManifest> {
  const startedAt = new Date().toISOString()
  // The slot keeps the log of this time. It belongs to this session, and ends with it.
  await client.query(`select pg_create_physical_replication_slot('makola_backup_' || pg_backend_pid(), true, true)`)
  const begun = await client.query<{ start: string; version: string }>(
    `select pg_backup_start('makola', true)::text as start, current_setting('server_version') as version`,
  )
  const { start = '', version = '' } = begun.rows[0] ?? {}
  const copied = await copyTree(deps)
  const ended = await client.query<Ended>(
    `select labelfile as label, spcmapfile as map, lsn::text as end, pg_walfile_name(lsn) as last from pg_backup_stop(false)`,
  )
  const { label = '', map = '', end = '', last = '' } = ended.rows[0] ?? {}
  if (map.trim() !== '') throw new Error('tables in other folders than the data folder cannot be backed up')
  const first = /\(file ([0-9A-F]{24})\)/.exec(label)?.[1] ?? ''
  const files = [...copied, await writeLabel(deps.to, label), ...(await copyLog(deps, first, last))]
  const endedAt = new Date().toISOString()
  return { format: 1, startedAt, endedAt, postgres: version, startLocation: start, endLocation: end, files }
}

/** `makola-20270131T180000Z`: the names of backups sort by their times. */
const nameOf = (moment: Date) => `makola-${moment.toISOString().replaceAll(/[-:]|\.\d+/g, '')}`

/**
 * Copies the data folder of a running embedded server, with the write-ahead log that makes the copy whole, into a new folder of
 * `into`. Sales go on meanwhile. The folder gets its name when it is complete, so a broken-off backup is never taken for one.
 * @throws Error when no server runs there, when tables are in other folders, or when a file cannot be read or written
 */
export async function backUpEmbedded(dataDir: string, into: string, onProgress: (bytes: number) => void): Promise<MadeBackup> {
  const folder = await clusterFolderOf(dataDir)
  const name = nameOf(new Date())
  const draft = join(into, `.${name}.unfinished`)
  await mkdir(into, { recursive: true, mode: 0o700 })
  const client = await connectAsAdministrator(folder)
  try {
    await mkdir(draft, { mode: 0o700 })
    const manifest = await copyRunning(client, { from: folder, to: dataFolderOf(draft), onProgress })
    await writeFile(manifestFileOf(draft), `${JSON.stringify(manifest)}\n`, { mode: 0o600 })
    await sync(manifestFileOf(draft))
    await rename(draft, join(into, name))
    await sync(into)
    const bytes = manifest.files.reduce((sum, file) => sum + file.bytes, 0)
    return { folder: join(into, name), bytes, endedAt: new Date(manifest.endedAt) }
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** The folders of complete backups in a folder, oldest first. */
export async function listBackups(into: string): Promise<string[]> {
  const names = (await readdir(into).catch(() => [])).filter((name) => /^makola-\d{8}T\d{6}Z$/.test(name)).toSorted()
  return names.map((name) => join(into, name))
}

/** Removes all backups of a folder except the newest `keep`. @returns the removed folders */
export async function removeOldBackups(into: string, keep: number): Promise<string[]> {
  const old = (await listBackups(into)).slice(0, -keep)
  for (const folder of old) await rm(folder, { recursive: true })
  return old
}

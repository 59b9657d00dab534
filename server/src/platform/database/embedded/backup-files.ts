import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { chown, mkdir, open, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ServerUser } from './server-user.ts'

/** A file of a backup: its path below the data folder, and how many bytes were written. */
export type BackupFile = { readonly path: string; readonly bytes: number; readonly sha256: string }

/** The file `backup.json` of a backup: its times, its version of PostgreSQL, and the checksum of each copied file. */
export type BackupManifest = {
  readonly format: 1
  readonly startedAt: string
  readonly endedAt: string
  /** The version of PostgreSQL, such as `18.4`. The major version must be the same where it is restored. */
  readonly postgres: string
  /** Places in the write-ahead log: the restored database is at `endLocation` or later. */
  readonly startLocation: string
  readonly endLocation: string
  readonly files: readonly BackupFile[]
}

export const dataFolderOf = (backup: string) => join(backup, 'postgres')
export const manifestFileOf = (backup: string) => join(backup, 'backup.json')

/** Forces the writes to a file or a folder onto the disk, so that they survive a loss of power. */
export async function sync(path: string): Promise<void> {
  const handle = await open(path)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Copies a file, private to its owner, and returns its size and checksum. */
export async function copyFile(from: string, to: string, owner?: ServerUser): Promise<Omit<BackupFile, 'path'>> {
  const hash = createHash('sha256')
  let bytes = 0
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      bytes += chunk.length
      done(null, chunk)
    },
  })
  await pipeline(createReadStream(from), measure, createWriteStream(to, { mode: 0o600 }))
  if (owner) await chown(to, owner.uid, owner.gid)
  await sync(to)
  return { bytes, sha256: hash.digest('hex') }
}

/** Makes a private folder, and those that are missing on the way to it below `root`. */
export async function makeFolder(root: string, path: string, owner?: ServerUser): Promise<void> {
  const parts = path.split('/').filter((part) => part !== '')
  for (let count = 0; count <= parts.length; count += 1) {
    const folder = join(root, ...parts.slice(0, count))
    const made = await mkdir(folder, { recursive: true, mode: 0o700 })
    if (owner && made !== undefined) await chown(folder, owner.uid, owner.gid)
  }
}

export type Listed = { readonly path: string; readonly isFolder: boolean }

/** Lists what is in a data folder, folders before their files. Folders that are removed meanwhile are left out. */
export async function listTree(root: string, isLeftOut: (path: string) => boolean, below = ''): Promise<Listed[]> {
  const entries = await readdir(join(root, below), { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' && below !== '') return []
    throw error
  })
  const found: Listed[] = []
  for (const entry of entries) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`
    if (isLeftOut(path)) continue
    if (entry.isDirectory()) found.push({ path, isFolder: true }, ...(await listTree(root, isLeftOut, path)))
    else if (entry.isFile()) found.push({ path, isFolder: false })
  }
  return found
}

/** @throws Error when the folder has no backup of a form that is known */
export async function readBackupManifest(backup: string): Promise<BackupManifest> {
  const text = await readFile(manifestFileOf(backup), 'utf8').catch(() => undefined)
  if (text === undefined) throw new Error(`${backup} holds no complete backup: backup.json is missing`)
  const manifest = JSON.parse(text) as BackupManifest
  if (manifest.format !== 1) throw new Error(`${backup} was made by another version of Makola`)
  return manifest
}

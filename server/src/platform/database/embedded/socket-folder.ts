import { createHash } from 'node:crypto'
import { chown, lstat, mkdir, mkdtemp, realpath } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import type { ServerUser } from './server-user.ts'

/**
 * The socket's name ends in `/.s.PGSQL.5432` and must fit into 104 bytes (`sun_path` on macOS; 108 on
 * Linux), whatever the length of DATA_DIR; hence a short folder of its own.
 */
const folderLengthMax = 88

/** The data folder of PostgreSQL within a DATA_DIR, by its real path, so that two paths to one folder are one database. */
export async function clusterFolderOf(dataDir: string): Promise<string> {
  return join(await realpath(dataDir).catch(() => resolve(dataDir)), 'postgres')
}

/** Distinguishes several instances on one machine, on the server's command line and in the name of its socket folder. */
export function clusterNameOf(folder: string): string {
  return `makola-${createHash('sha256').update(folder).digest('hex').slice(0, 12)}`
}

async function ownerIs(folder: string, uid: number): Promise<boolean> {
  const found = await lstat(folder).catch(() => undefined)
  return found?.isDirectory() === true && found.uid === uid && (found.mode & 0o077) === 0
}

async function makeFolder(parent: string, clusterName: string, user: ServerUser | undefined): Promise<string> {
  const folder = join(parent, clusterName)
  const uid = user?.uid ?? process.getuid?.() ?? 0
  try {
    await mkdir(folder, { mode: 0o700 })
    if (user) await chown(folder, user.uid, user.gid)
    return folder
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  if (await ownerIs(folder, uid)) return folder
  // Another user has a folder of this name, perhaps on purpose. Our socket must lie in a folder that only we can write
  // to.
  const other = await mkdtemp(`${folder}-`)
  if (user) await chown(other, user.uid, user.gid)
  return other
}

/**
 * Makes a private folder for the server's socket. It is the same at every start, so that clients find a restarted server at
 * the same address, unless another user has a folder of its name.
 * @throws Error when none can be made
 */
export async function makeSocketFolder(clusterName: string, user: ServerUser | undefined): Promise<string> {
  for (const parent of ['/tmp', tmpdir()]) {
    if (parent.length + clusterName.length > folderLengthMax) continue
    const folder = await makeFolder(parent, clusterName, user).catch(() => undefined)
    if (folder) return folder
  }
  throw new Error(`No folder for the database socket could be made in /tmp or ${tmpdir()}.`)
}

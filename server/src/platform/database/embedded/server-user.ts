import { readFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import process from 'node:process'

/** An operating system user that the database server runs as, because PostgreSQL refuses to run as root. */
export type ServerUser = { uid: number; gid: number }

/** Best first: our own user, the distribution's PostgreSQL user, and the user without any files. */
const preferredNames = ['makola', 'postgres', 'nobody']

async function ownerOf(folder: string): Promise<ServerUser | undefined> {
  const found = await stat(folder).catch(() => undefined)
  return found && found.uid !== 0 ? { uid: found.uid, gid: found.gid } : undefined
}

/**
 * Chooses the user that runs the server. Undefined: the user of this process. For root: the owner of the data folder, so
 * that the user stays the same. If the folder is missing or root owns it: the first of the preferred users that exists.
 * @throws when this process runs as root and no such user exists
 */
export async function chooseServerUser(folder: string): Promise<ServerUser | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const owner = await ownerOf(folder)
  if (owner) return owner
  const lines = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n').map((line) => line.split(':'))
  for (const name of preferredNames) {
    const fields = lines.find((line) => line[0] === name)
    if (fields) return { uid: Number(fields[2]), gid: Number(fields[3]) }
  }
  throw new Error(
    `PostgreSQL refuses to run as root, and none of the users ${preferredNames.join(', ')} exists. ` +
      'Create one (`useradd --system makola`), run Makola as another user, or set DATABASE_URL.',
  )
}

async function mayEnterOne(user: ServerUser, folder: string): Promise<boolean> {
  const { mode, uid, gid } = await stat(folder)
  if (uid === user.uid) return (mode & 0o100) !== 0
  if (gid === user.gid) return (mode & 0o010) !== 0
  return (mode & 0o001) !== 0
}

/**
 * True when the user may enter every folder on the way to `path`. A home folder such as /root, or a private temporary
 * folder, prevents it.
 */
export async function canReach(user: ServerUser, path: string): Promise<boolean> {
  const parent = dirname(path)
  if (!(await mayEnterOne(user, parent))) return false
  return parent === dirname(parent) || (await canReach(user, parent))
}

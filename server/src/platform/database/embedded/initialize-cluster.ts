import { randomBytes } from 'node:crypto'
import { access, chown, mkdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { administratorRole } from './cluster-settings.ts'
import { runProgram } from './run-program.ts'
import { canReach, type ServerUser } from './server-user.ts'

/** The first version with a built-in collation, which sorts equally on every machine. */
const builtinLocaleSince = 17

/**
 * The name of `folder` for a program that runs inside it. A user who may not enter the folders above it (below root's home,
 * for example) can still work in it: the kernel enters it before it changes the user.
 */
export async function folderAsSeenBy(user: ServerUser | undefined, folder: string): Promise<string> {
  return user && !(await canReach(user, join(folder, 'any'))) ? '/proc/self/cwd' : folder
}

async function localeParameters(binaries: string): Promise<{ major: number; parameters: string[] }> {
  const { output } = await runProgram(join(binaries, 'initdb'), ['--version'], { workingFolder: '/', user: undefined })
  const major = Number(/(\d+)/.exec(output)?.[1])
  const parameters =
    major >= builtinLocaleSince ? ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'] : ['--locale=C.UTF-8']
  return { major, parameters }
}

async function refuseOtherVersion(folder: string, version: string, major: number): Promise<void> {
  if (Number(version) === major) return
  throw new Error(
    `${folder} was made by PostgreSQL ${version}, and this installation brings ${major}. ` +
      'Restore a dump of it into a new DATA_DIR, or run the matching PostgreSQL and set DATABASE_URL.',
  )
}

/**
 * Refuses a start in a folder that was there before and is missing: an empty database must never take the place of a lost
 * one.
 * @throws Error when the data folder is missing
 */
export async function requireCluster(folder: string): Promise<void> {
  await access(join(folder, 'PG_VERSION')).catch((cause: unknown) => {
    throw new Error(`The database in ${folder} cannot be found. Is its disk there?`, { cause })
  })
}

/**
 * Makes the data folder if it is missing. It is made under another name and renamed when it is complete, so an interrupted
 * first start leaves no half-made data folder, and of two starts at once one wins.
 * @throws Error when it was made by another major version of PostgreSQL, or cannot be made
 */
export async function initializeCluster(folder: string, binaries: string, user: ServerUser | undefined): Promise<void> {
  const locale = await localeParameters(binaries)
  const version = await readFile(join(folder, 'PG_VERSION'), 'utf8').catch(() => undefined)
  if (version !== undefined) return refuseOtherVersion(folder, version.trim(), locale.major)

  const draft = `${folder}.${randomBytes(4).toString('hex')}`
  await mkdir(draft, { mode: 0o700, recursive: true })
  try {
    if (user) await chown(draft, user.uid, user.gid)
    const { exitCode, output } = await runProgram(
      join(binaries, 'initdb'),
      [
        `--pgdata=${await folderAsSeenBy(user, draft)}`,
        `--username=${administratorRole}`,
        '--encoding=UTF8',
        ...locale.parameters,
        '--auth=peer',
        '--data-checksums',
        '--no-instructions',
      ],
      { workingFolder: draft, user },
    )
    if (exitCode !== 0) throw new Error(`The database could not be made in ${folder}: ${output}`)
    await rename(draft, folder).catch(async (error: unknown) => {
      const made = await readFile(join(folder, 'PG_VERSION'), 'utf8').catch(() => undefined)
      if (made === undefined) throw error
    })
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

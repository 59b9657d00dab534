import { lstatSync, mkdirSync, realpathSync } from 'node:fs'
import module from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'

/** True when the folder belongs to this user, and others have none of the rights in `closed`. */
function isOurs(folder, closed) {
  const found = lstatSync(folder)
  return found.isDirectory() && (process.getuid === undefined || (found.uid === process.getuid() && (found.mode & closed) === 0))
}

/** Makes a folder in `base` for this user alone; undefined where another user could put something else into its place. */
function makeFolderIn(base) {
  try {
    const place = realpathSync(base)
    const folder = join(place, 'makola-compile-cache')
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    return isOurs(place, 0o022) && isOurs(folder, 0o077) ? folder : undefined
  } catch {
    return undefined
  }
}

/**
 * Returns a folder in the user's own folder for caches. If none can be made there, as for a service whose user has no home
 * folder, returns one in DATA_DIR.
 */
function chooseFolder() {
  const { XDG_CACHE_HOME: cacheDir, DATA_DIR: dataDir } = process.env
  const own = cacheDir || join(homedir(), '.cache')
  try {
    mkdirSync(own, { recursive: true, mode: 0o700 })
  } catch {
    // A user without a home folder cannot have this folder.
  }
  return makeFolderIn(own) ?? (dataDir ? makeFolderIn(dataDir) : undefined)
}

/**
 * Keeps compiled code between runs, so that later commands start faster. The stored code is run without a
 * check. So it is not stored in the shared temporary folder, which is Node's default: another user of the machine could put
 * code there. `NODE_COMPILE_CACHE` names another folder. Without a usable folder, nothing is kept.
 */
export function keepCompiledCode() {
  if (process.env['NODE_COMPILE_CACHE']) return
  const folder = chooseFolder()
  if (folder !== undefined) module.enableCompileCache?.(folder)
}

import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The root folder of the repository. */
export const root = fileURLToPath(new URL('../../', import.meta.url))

/** The Node of the installation; it is missing where npm could not fetch its package, which npm does not say. */
export const packagedNode = join(root, 'node_modules', '.bin', 'node')

/** The folder of the built programs, relative to `root`. `npm ci` and `npm run build` write it. */
export const builtFolder = 'server/dist'

/** The file that says which of the built programs are the newest, and of which sources they were built. */
export const builtFile = `${builtFolder}/programs.json`

/**
 * The source file with which each program begins. `document-thread` is not a process but a thread, which a running program
 * may start late.
 */
export const programs = {
  cli: 'server/src/cli.ts',
  simulator: 'simulator/src/simulator.ts',
  'document-thread': 'server/src/money/statement/document-thread.ts',
}

/**
 * The content of `programs.json`.
 *
 * @typedef {object} BuiltPrograms
 * @property {string} texts what `hashTexts` returned for the sources when they were built; also the name of the folder that the built programs are in
 * @property {[path: string, stamp: string][]} sources the sources, with what `stampOf` returned for each
 */

/**
 * Hashes the texts of these files.
 *
 * @param {string} top
 * @param {readonly string[]} paths
 */
export function hashTexts(top, paths) {
  const hash = createHash('sha256')
  for (const path of paths)
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(top, path)))
      .update('\0')
  return hash.digest('hex').slice(0, 16)
}

/**
 * Returns the time of a file's last change, in milliseconds since 1970, and its size in bytes; undefined when there is no
 * such file. The size is needed because some tools change a file and set back its time.
 * @param {string} top
 * @param {string} path
 */
export function stampOf(top, path) {
  const file = statSync(`${top}/${path}`, { throwIfNoEntry: false })
  return file && `${file.mtimeMs} ${file.size}`
}

/**
 * @param {string} top
 * @returns {BuiltPrograms | undefined} undefined when nothing was built
 */
export function readBuilt(top) {
  try {
    return /** @type {BuiltPrograms} */ (JSON.parse(readFileSync(join(top, builtFile), 'utf8')))
  } catch {
    return undefined
  }
}

/**
 * True when the sources are the same as when the programs were built. New files need no check, because a program loads one
 * only after another source has changed. The texts are read only when a time or a size differs: a copy has other times.
 * @param {string} top
 * @param {BuiltPrograms} built
 */
function isCurrent(top, { sources, texts }) {
  if (sources.every(([path, stamp]) => stampOf(top, path) === stamp)) return true
  const paths = sources.map(([path]) => path)
  return paths.every((path) => existsSync(join(top, path))) && hashTexts(top, paths) === texts
}

/**
 * Chooses the file that runs one of our programs: the built file if it matches the present sources, because it is loaded
 * several times as fast; else the source file. So a changed source takes effect without a build.
 * @param {keyof typeof programs} name
 * @param {string} top of the repository
 */
export function findProgram(name, top = root) {
  const built = readBuilt(top)
  const file = built && join(top, builtFolder, built.texts, `${name}.mjs`)
  return file && existsSync(file) && isCurrent(top, built) ? file : join(top, programs[name])
}

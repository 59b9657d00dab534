import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The root folder of the repository. */
export const root = fileURLToPath(new URL('../../', import.meta.url))

/** The folder of the built programs, relative to `root`. `npm ci` and `npm run build` write it. */
export const builtFolder = 'server/dist'

/** The file that says which of the built programs are the newest, and of which sources they were built. */
export const builtFile = `${builtFolder}/programs.json`

/** The file where each of our programs begins; that of a thread too, which a running program starts long after itself. */
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
 * When a file was written, in milliseconds since 1970, and how many bytes it has, because some tools give a changed file
 * the time that it had; undefined when there is none.
 *
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
 * The file that runs one of our programs: the built one, which is loaded several times as fast, if it was built of the
 * sources as they are now; otherwise the source. So a change of a source never needs a build to be seen.
 *
 * @param {keyof typeof programs} name
 * @param {string} top of the repository
 */
export function findProgram(name, top = root) {
  const built = readBuilt(top)
  const file = built && join(top, builtFolder, built.texts, `${name}.mjs`)
  return file && existsSync(file) && isCurrent(top, built) ? file : join(top, programs[name])
}

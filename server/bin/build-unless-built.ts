/**
 * Runs at the end of `npm ci`: builds programs and pages, unless they are built from the sources that are here. A release has
 * both built, so it is installed without the tools that build (`--omit=dev`).
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import process from 'node:process'
import { builtFromFile, hashOfSources } from '../../dashboard/built-from.ts'
import { builtFile, findProgram, packagedNode, readBuilt, root, stampOf } from './find-program.js'

function arePagesBuilt(): boolean {
  try {
    return readFileSync(join(root, 'dashboard', 'dist', builtFromFile), 'utf8') === hashOfSources()
  } catch {
    return false
  }
}

/**
 * Writes the times of the sources into the record of the build, because unpacked files have new times. A program whose record
 * has the right times need not read all sources when it starts.
 */
function noteTimes(): void {
  const built = readBuilt(root)
  const sources = built?.sources.map(([path]) => [path, stampOf(root, path)])
  writeFileSync(join(root, builtFile), `${JSON.stringify({ ...built, sources })}\n`)
}

/** The headers of Node are a tenth of what operators install, and nothing here is compiled against them. */
function removeHeaders(): void {
  for (const folder of globSync('node_modules/node-*/include', { cwd: root })) rmSync(join(root, folder), { recursive: true })
}

/** Warns here, because npm reports nothing when it cannot fetch an optional package. */
function warnOfMissingNode(): void {
  const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    optionalDependencies: Record<string, string>
  }
  const name = Object.keys(optionalDependencies).find((each) => each.endsWith(`-${process.platform}-${process.arch}`))
  if (name === undefined || existsSync(packagedNode)) return
  console.error(
    `makola: npm did not install the Node of this version (${name}), so commands run on yours, ${process.version}. The systemd ` +
      'units and the image need it: where they are used, run `npm ci` again when the registry answers, without `--omit=optional`.',
  )
}

function hasTools(): boolean {
  try {
    createRequire(join(root, 'dashboard', 'package.json')).resolve('@vitejs/plugin-react')
    return true
  } catch {
    return false
  }
}

/** Runs a program with this Node. Shows its error output only. */
async function run(folder: string, ...words: string[]): Promise<void> {
  const child = spawn(process.execPath, words, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  const [exitCode] = await once(child, 'exit')
  if (exitCode !== 0) throw new Error(`${words.join(' ')} ended with ${exitCode}`)
}

/**
 * Builds programs and pages at the same time, for a machine with two processors. Builds no type files: the checks write those.
 */
async function buildAll(): Promise<void> {
  console.log('makola: builds its programs and pages, about ten seconds')
  const dashboard = join(root, 'dashboard')
  const vite = join(createRequire(join(dashboard, 'package.json')).resolve('vite/package.json'), '..', 'bin', 'vite.js')
  await Promise.all([run(root, 'server/bin/build-programs.ts'), run(dashboard, vite, 'build', '--logLevel', 'error')])
}

removeHeaders()
warnOfMissingNode()
if (findProgram('cli').endsWith('.mjs') && arePagesBuilt()) {
  noteTimes()
} else if (hasTools()) {
  await buildAll()
} else {
  console.error(
    'makola: nothing is built here, and the tools that build are left out. Take a release, which has everything built. ' +
      'Or run `npm ci`, and then `npm prune --omit=dev` to remove the tools again.',
  )
  process.exitCode = 1
}

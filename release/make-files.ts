import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BuiltPrograms, builtFile } from '../server/bin/find-program.js'
import { clientsFile, type PackedClients, pack } from '../server/bin/pack-clients.ts'
import { type BillOfMaterials, makeRepeatable, writeLicences } from './list-packages.ts'
import { readVersion } from './set-version.ts'

/** The folders that `npm ci` builds and that are not in git. */
const builtFolders = ['server/dist', 'dashboard/dist']

/** Runs a program in a folder and returns what it printed. */
const run = (folder: string, program: string, ...words: readonly string[]) =>
  execFileSync(program, words, { cwd: folder, encoding: 'utf8', maxBuffer: 100_000_000, stdio: ['ignore', 'pipe', 'pipe'] })

/** Lists the files of a release in one order: those of the commit, and those that were built from it. */
async function listFiles(folder: string): Promise<string[]> {
  const kept = run(folder, 'git', 'ls-files', '-z').split('\0').filter(Boolean)
  const built = builtFolders.map(async (part) => {
    const entries = await readdir(join(folder, part), { recursive: true, withFileTypes: true })
    return entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
  })
  return [...kept, ...(await Promise.all(built)).flat()].toSorted()
}

/**
 * Removes the times of the source files from the record of the build: they mean nothing on another machine, which notes its
 * own.
 */
async function forgetTimes(folder: string): Promise<void> {
  const file = join(folder, builtFile)
  const built = JSON.parse(await readFile(file, 'utf8')) as BuiltPrograms
  await writeFile(file, `${JSON.stringify({ ...built, sources: built.sources.map(([path]) => [path, '']) })}\n`)
}

/** Writes the clients for resellers' programs, as the server gives them out, and packs the conformance suite. */
async function packForPrograms(folder: string, target: string): Promise<void> {
  run(folder, 'npm', 'pack', '--workspace=makola-conformance', `--pack-destination=${target}`)
  const { files } = JSON.parse(await readFile(join(folder, clientsFile), 'utf8')) as PackedClients
  for (const { name, base64 } of files) await writeFile(join(target, name), Buffer.from(base64, 'base64'))
}

/** The text of SHA256SUMS for `sha256sum --check`. */
export async function sumUp(folder: string): Promise<string> {
  const names = (await readdir(folder)).filter((name) => name !== 'SHA256SUMS').toSorted()
  const sums = names.map(async (name) => {
    const hash = createHash('sha256').update(await readFile(join(folder, name)))
    return `${hash.digest('hex')}  ${name}\n`
  })
  return (await Promise.all(sums)).join('')
}

/**
 * Makes the files of a release from the last commit: a clone of it is installed, built and packed, so no stray file of the
 * working folder gets in. The same commit gives the same bytes, with the same npm.
 *
 * @param target the folder that gets the files; what it had before is deleted
 */
export async function makeFiles(root: string, target: string): Promise<void> {
  const place = await mkdtemp(join(tmpdir(), 'makola-release-'))
  try {
    const folder = join(place, 'tree')
    run(root, 'git', 'clone', '--quiet', root, folder)
    run(folder, 'npm', 'ci')
    await forgetTimes(folder)
    const moment = new Date(run(folder, 'git', 'log', '-1', '--format=%cI').trim())
    const name = `makola-${readVersion(folder)}`
    await rm(target, { recursive: true, force: true })
    await mkdir(target, { recursive: true })
    const files = await listFiles(folder)
    await pack({ file: join(target, `${name}.tar.gz`), folder, prefix: name, moment }, files)
    await pack({ file: join(target, `${name}-image.tar.gz`), folder, prefix: '', moment }, files)
    await packForPrograms(folder, target)
    const npmBill = run(folder, 'npm', 'sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application')
    const bill = makeRepeatable(JSON.parse(npmBill) as BillOfMaterials, moment.toISOString())
    await writeFile(join(target, `${name}.cdx.json`), `${JSON.stringify(bill, null, 2)}\n`)
    await writeFile(join(target, `${name}-licences.txt`), writeLicences(bill))
    const needs = run(folder, 'node', 'server/bin/makola.js', 'upgrade', '--needs')
    await writeFile(join(target, `${name}-needs.json`), needs)
    await writeFile(join(target, 'SHA256SUMS'), await sumUp(target))
  } finally {
    await rm(place, { recursive: true, force: true })
  }
}

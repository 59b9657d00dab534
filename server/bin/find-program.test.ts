import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative, sep } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { programEnvironment } from '../test/program-environment.ts'
import { builtFile, builtFolder, findProgram, hashTexts, programs, readBuilt, root, stampOf } from './find-program.js'

const other = 'server/src/other.ts'
const paths = [programs.cli, other]

let top: string
/** Writes two sources with these texts, and an empty program with the record that it was built of them. */
async function build(texts: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(texts)) {
    await mkdir(join(top, dirname(path)), { recursive: true })
    await writeFile(join(top, path), text)
  }
  const built = hashTexts(top, paths)
  await mkdir(join(top, 'server/dist', built), { recursive: true })
  await writeFile(join(top, 'server/dist', built, 'cli.mjs'), '')
  await writeFile(
    join(top, builtFile),
    JSON.stringify({ texts: built, sources: paths.map((path) => [path, stampOf(top, path)]) }),
  )
}

const isBuilt = () => findProgram('cli', top).endsWith('cli.mjs')

beforeAll(async () => {
  top = await mkdtemp(join(tmpdir(), 'makola-programs-'))
})
afterAll(() => rm(top, { recursive: true, force: true }))

test('a program runs as built only while its sources are what it was built of, and from its sources otherwise', async () => {
  const texts = { [programs.cli]: 'one', [other]: 'two' }
  await build(texts)
  expect(isBuilt()).toBe(true)
  // A copy of the same text has another time.
  await utimes(join(top, other), 0, 0)
  expect(isBuilt()).toBe(true)
  // The text has the same length, and a time before the build.
  await writeFile(join(top, other), 'TWO')
  await utimes(join(top, other), 0, 0)
  expect(findProgram('cli', top)).toBe(join(top, programs.cli))
  await build(texts)
  // The text is longer, and has the same time as at the build.
  await utimes(join(top, other), 1, 1)
  await build({})
  await writeFile(join(top, other), 'two and more')
  await utimes(join(top, other), 1, 1)
  expect(isBuilt()).toBe(false)
  await build(texts)
  expect(isBuilt()).toBe(true)
  await rm(join(top, other))
  expect(isBuilt()).toBe(false)
  await build(texts)
  await rm(join(top, 'server/dist', hashTexts(top, paths)), { recursive: true })
  expect(isBuilt()).toBe(false)
  await rm(join(top, builtFile))
  expect(isBuilt()).toBe(false)
})

test('what is built has no source of ours that is not watched', async () => {
  const built = readBuilt(root)
  const folder = join(root, builtFolder, built?.texts ?? '')
  const maps = (await readdir(folder)).filter((name) => name.endsWith('.map'))
  const texts = await Promise.all(maps.map((name) => readFile(join(folder, name), 'utf8')))
  const paths = texts.flatMap((text) =>
    (JSON.parse(text) as { sources: string[] }).sources.map((path) => relative(root, join(folder, path)).split(sep).join('/')),
  )
  const ours = paths.filter((path) => !path.includes('node_modules/'))
  expect(ours).toContain(programs.cli)
  const watched = new Set(built?.sources.map(([path]) => path))
  expect(ours.filter((path) => !watched.has(path))).toEqual([])
})

test('a running program draws documents with what was built beside it, whatever its sources are by then', async () => {
  const texts = readBuilt(root)?.texts ?? ''
  const copy = join(top, 'alone', builtFolder, texts)
  await cp(join(root, builtFolder, texts), copy, { recursive: true })
  await symlink(join(root, 'node_modules'), join(top, 'alone', 'node_modules'))
  const topUp = {
    reference: 'R1',
    amount: 500,
    fee: 0,
    way: 'transfer',
    transfer_reference: 'T1',
    created_at: new Date(),
    made_by: 'Ama',
  }
  const heading = {
    operatorName: 'Makola',
    accountName: 'Ama',
    accountEmail: 'ama@makola.test',
    paidThrough: '',
    balanceAfter: 500,
  }
  const thread = new Worker(join(copy, 'document-thread.mjs'), { workerData: { kind: 'receipt', topUp, heading } })
  const [file] = (await once(thread, 'message')) as [Uint8Array]
  expect(Buffer.from(file).subarray(0, 5).toString()).toBe('%PDF-')
  const files = (await readdir(copy)).filter((name) => name.endsWith('.mjs'))
  const programTexts = await Promise.all(files.map((name) => readFile(join(copy, name), 'utf8')))
  expect(programTexts.some((text) => /import\.meta\.dirname,\s*.document-thread\.mjs/.test(text))).toBe(true)
})

test('the tests start the programs as built, and the command line runs from its sources too', async () => {
  expect(findProgram('cli')).toContain('server/dist')
  const words = [join(root, programs.cli), '--version']
  const { stdout } = await promisify(execFile)(process.execPath, words, { env: programEnvironment() })
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
})

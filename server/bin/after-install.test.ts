import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { programEnvironment } from '../test/program-environment.ts'
import { root } from './find-program.js'

const packageOfNode = `node-${process.platform}-${process.arch}`

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'makola-after-install-'))
  await writeFile(
    join(folder, 'old-node.cjs'),
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })`,
  )
})
afterAll(() => rm(folder, { recursive: true }))

/** An installation that has nothing but what runs at the end of `npm ci`. @returns its folder */
async function install(name: string, optional: string, hasNode: boolean): Promise<string> {
  const top = join(folder, name)
  await cp(join(root, 'server/bin'), join(top, 'server/bin'), { recursive: true })
  await cp(join(root, 'dashboard/built-from.ts'), join(top, 'dashboard/built-from.ts'))
  await writeFile(
    join(top, 'package.json'),
    JSON.stringify({ type: 'module', optionalDependencies: { 'node-other-x64': '24.0.0', [optional]: '24.0.0' } }),
  )
  await mkdir(join(top, 'node_modules/.bin'), { recursive: true })
  if (hasNode) await writeFile(join(top, 'node_modules/.bin/node'), '')
  return top
}

/** Runs a program that must fail, with the Node of the tests or as if that were an older one. @returns its exit code and error output */
async function complaintOf(top: string, program: string, age: 'old' | 'new'): Promise<string> {
  const asOld = age === 'old' ? ['--require', join(folder, 'old-node.cjs')] : []
  const running = promisify(execFile)(process.execPath, [...asOld, join(top, 'server/bin', program)], {
    env: programEnvironment(),
  })
  return running.then(
    () => 'none',
    ({ code, stderr }: { code: number; stderr: string }) => `${code}: ${stderr}`,
  )
}

test('a Node that npm could not fetch is named, with what needs it and what to do; elsewhere nothing is said of it', async () => {
  const [missing, there, elsewhere] = await Promise.all([
    install('missing', packageOfNode, false).then((top) => complaintOf(top, 'after-install.js', 'new')),
    install('there', packageOfNode, true).then((top) => complaintOf(top, 'after-install.js', 'new')),
    install('elsewhere', 'node-another-arm', false).then((top) => complaintOf(top, 'after-install.js', 'new')),
  ])
  expect(missing).toContain(`npm did not install the Node of this version (${packageOfNode})`)
  expect(missing).toContain('run `npm ci` again')
  // These folders have no built files, so the installation still fails there, but only for that.
  expect([there, elsewhere]).toEqual(Array(2).fill(expect.stringMatching(/^1: makola: nothing is built here[^\n]+\n$/)))
})

test('an older Node is refused where the one of the installation is missing, and told what to do', async () => {
  const top = await install('old', packageOfNode, false)
  const complaints = await Promise.all(['after-install.js', 'makola.js'].map((program) => complaintOf(top, program, 'old')))
  expect(complaints).toEqual(Array(2).fill(expect.stringMatching(/^1: makola: Node 24 or newer is needed.+Run `npm ci`/)))
})

test('a Node that npm fetched and did not link is linked, and goes on in place of an older one', async () => {
  const top = await install('unlinked', packageOfNode, false)
  await mkdir(join(top, 'node_modules', packageOfNode, 'bin'), { recursive: true })
  await symlink(process.execPath, join(top, 'node_modules', packageOfNode, 'bin/node'))
  expect(await complaintOf(top, 'after-install.js', 'old')).toMatch(/^1: makola: nothing is built here/)
  expect(await realpath(join(top, 'node_modules/.bin/node'))).toBe(await realpath(process.execPath))
})

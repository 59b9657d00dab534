import { execFileSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, stat, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { expect, test } from 'vitest'

const program = `
  import module from 'node:module'
  import { keepCompiledCode } from '${new URL('keep-compiled-code.js', import.meta.url).href}'
  keepCompiledCode()
  console.log(module.getCompileCacheDir() ?? 'nowhere')`

/** Returns the folder in which a program with these environment variables keeps its compiled code. */
function placeFor(environment: Readonly<Record<string, string>>): string {
  return execFileSync(process.execPath, ['--input-type=module', '-e', program], { env: environment, encoding: 'utf8' }).trim()
}

async function makeUser() {
  const folder = await mkdtemp(join(tmpdir(), 'makola-cache-'))
  const home = join(folder, 'home')
  const dataDir = join(folder, 'data')
  await Promise.all([mkdir(home), mkdir(dataDir)])
  return { folder, home, dataDir, environment: { HOME: home, DATA_DIR: dataDir, TMPDIR: folder } }
}

test('compiled code is kept in a folder of the user, closed to all others, and never in the temporary one', async () => {
  const { home, folder, environment } = await makeUser()
  const place = placeFor(environment)
  expect(place.startsWith(join(home, '.cache', 'makola-compile-cache'))).toBe(true)
  expect((await stat(join(home, '.cache', 'makola-compile-cache'))).mode & 0o777).toBe(0o700)
  expect((await readdir(folder)).toSorted()).toEqual(['data', 'home'])
})

test('compiled code of a user without a home is kept beside the data', async () => {
  const { dataDir, environment } = await makeUser()
  const place = placeFor({ ...environment, HOME: '/dev/null' })
  expect(place.startsWith(join(dataDir, 'makola-compile-cache'))).toBe(true)
})

test('compiled code is kept nowhere that somebody else could write to or swap', async () => {
  const { home, dataDir, environment } = await makeUser()
  const cache = join(home, '.cache')
  await mkdir(join(cache, 'makola-compile-cache'), { recursive: true })
  await chmod(join(cache, 'makola-compile-cache'), 0o770)
  await chmod(dataDir, 0o777)
  expect(placeFor(environment)).toBe('nowhere')
  const linked = await makeUser()
  await mkdir(join(linked.home, '.cache'))
  await symlink(linked.folder, join(linked.home, '.cache', 'makola-compile-cache'))
  await chmod(linked.dataDir, 0o777)
  expect(placeFor(linked.environment)).toBe('nowhere')
})

test('the compiled code of an operator’s own choice is left where it is', async () => {
  const { folder, environment } = await makeUser()
  expect(placeFor({ ...environment, NODE_COMPILE_CACHE: join(folder, 'chosen') })).toContain('chosen')
})

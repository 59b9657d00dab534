import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { programEnvironment } from './program-environment.ts'
import { withDatabaseName } from './running/database-server.ts'
import { withEmptyDatabase } from './test-database.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'makola-readme-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** The README's steps, on a database of this machine instead of the one that they make at db.example. */
async function readSteps(ownerUrl: string, applicationUrl: string): Promise<string> {
  const readme = await readFile(join(root, 'README.md'), 'utf8')
  const [, block = ''] = /## Run it for real\n```sh\n([\s\S]+?)```/.exec(readme) ?? []
  return (
    block
      .replace(/^psql [\s\S]+?^END\n/m, '')
      .replace(/^export PATH=.*$/m, `export PATH=${root}node_modules/.bin:$PATH`)
      .replace(/^export DATABASE_URL=\S+/m, `export DATABASE_URL='${applicationUrl}'`)
      .replace(/^MIGRATE_DATABASE_URL=\S+/m, `MIGRATE_DATABASE_URL='${ownerUrl}'`)
      // `doctor` rightly fails, because nobody answers at api.example.com. Every other step must succeed.
      .replace(/^makola doctor.*$/m, '')
  )
}

function runSteps(steps: string): Promise<{ exitCode: number; output: string }> {
  const script = `set -e\n${steps}\nkill $(jobs -p)\nwait`
  const env = { ...programEnvironment(), HOME: folder, DATA_DIR: folder, PORT: '0' }
  return new Promise((resolve) => {
    execFile('bash', ['-c', script], { cwd: folder, env }, (error, stdout, stderr) => {
      resolve({ exitCode: error ? Number(error.code) : 0, output: `${stdout}${stderr}` })
    })
  })
}

test('the steps of the README for real work in their order on an empty server', async () => {
  await writeFile(join(folder, 'key.txt'), 'key')
  await writeFile(join(folder, 'secret.txt'), 'secret')
  await withEmptyDatabase(async (ownerUrl) => {
    const applicationUrl = withDatabaseName(inject('databaseServer').applicationUrl, new URL(ownerUrl).pathname.slice(1))
    const { exitCode, output } = await runSteps(await readSteps(ownerUrl, applicationUrl))
    expect(output).not.toContain('makola: ')
    expect(output).toContain('The main wallet holds GHS 100.00.')
    expect(output).toContain('The books are in order')
    expect(exitCode).toBe(0)
  })
})

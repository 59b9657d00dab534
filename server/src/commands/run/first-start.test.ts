import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { programEnvironment } from '../../../test/program-environment.ts'
import { type RunningSimulator, startSimulator } from '../../../test/start-simulator.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts'
import { addDays, dayInAccra } from '../../reports/period.ts'
import { readSales } from '../../reports/read-sales.ts'

const entry = fileURLToPath(new URL('../../../bin/makola.js', import.meta.url))
const secretsKey = randomBytes(32).toString('base64')
const starts = 4

let simulator: RunningSimulator
let folder: string
let database: TestDatabase
let children: ChildProcess[] = []

beforeAll(async () => {
  simulator = await startSimulator()
})
afterAll(() => simulator.stop())
afterEach(async () => {
  for (const child of children.filter(({ exitCode }) => exitCode === null)) {
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
  children = []
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

/** Starts a role, and resolves to `ready`, or to everything that it printed when it ends before that. */
function startRole(role: 'api' | 'worker'): Promise<string> {
  const env = {
    ...programEnvironment(),
    DATA_DIR: folder,
    PORT: '0',
    DATABASE_URL: database.applicationUrl,
    SECRETS_KEY: secretsKey,
    SIMULATOR_URL: simulator.url,
  }
  const child = spawn(process.execPath, [entry, role], { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
  children.push(child)
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (said += chunk.toString()))
  return new Promise((resolve) => {
    child.once('message', () => resolve('ready'))
    child.once('close', () => resolve(`${role} ended: ${said}`))
  })
}

describe('two APIs and two workers that start at once on an empty database', () => {
  it.each(Array.from({ length: starts }, (_, no) => no + 1))('all serve, and one of them fills it (start %i)', async () => {
    folder = await mkdtemp(join(tmpdir(), 'makola-first-start-'))
    database = await createTestDatabase()
    const roles = ['api', 'worker', 'api', 'worker'] as const
    expect(await Promise.all(roles.map(startRole))).toEqual(roles.map(() => 'ready'))

    const { rows } = await sql<{ demos: number; oldest: string }>`
        select count(*)::integer as demos, (select (min(created_at) at time zone 'Africa/Accra')::date::text from transfers) as oldest
        from accounts where email = 'demo@makola.test'`.execute(database.db)
    expect(rows[0]?.demos).toBe(1)
    // The demo's invented month is in the reports, whichever worker began to count the days.
    const today = dayInAccra(new Date())
    await expect
      .poll(async () => (await readSales(database.db, { from: addDays(today, -40), to: today }, 'day')).countedFrom)
      .toBeNull()
    const report = await readSales(database.db, { from: rows[0]?.oldest ?? today, to: addDays(today, -7) }, 'day')
    expect(report.total?.orders).toBeGreaterThan(100)
  })
})

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { programEnvironment } from '../../../test/program-environment.ts'
import { startSessionPooler } from '../../../test/servers/start-session-pooler.ts'
import { createTestDatabase, type TestDatabase, withEmptyDatabase } from '../../../test/test-database.ts'
import { findFreePort } from '../../platform/find-free-port.ts'
import { examineInstallation } from './doctor/examine-installation.ts'

const entry = fileURLToPath(new URL('../../../bin/makola.js', import.meta.url))
const secretsKey = randomBytes(32).toString('base64')

let folder: string
let database: TestDatabase
let others: Server[] = []
const children = new Set<ChildProcess>()
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'makola-role-'))
  database = await createTestDatabase()
})
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  children.clear()
  await Promise.all(others.map((server) => new Promise((resolve) => server.close(resolve))))
  others = []
})
afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

type Role = 'api' | 'worker'
const roles: readonly Role[] = ['api', 'worker']

/** Starts a role as `makola start` does: as a process of its own, with an IPC channel to its parent. */
function startRole(role: Role, environment: Record<string, string>) {
  const env = {
    ...programEnvironment(),
    DATA_DIR: folder,
    PORT: '0',
    DATABASE_URL: database.applicationUrl,
    SECRETS_KEY: secretsKey,
    ...environment,
  }
  const child = spawn(process.execPath, [entry, role], { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
  children.add(child)
  const said = { stdout: '', stderr: '', messages: [] as unknown[] }
  child.stdout?.on('data', (chunk: Buffer) => (said.stdout += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => (said.stderr += chunk.toString()))
  child.on('message', (message) => said.messages.push(message))
  return { child, said }
}

/** Starts a role that must fail, and returns how it ended. */
async function fail(role: Role, environment: Record<string, string> = {}) {
  const { child, said } = startRole(role, { LOG_LEVEL: 'silent', ...environment })
  const [exitCode] = (await once(child, 'close')) as [number | null]
  return { exitCode, stderr: said.stderr, messages: said.messages }
}

/** A port on which another server listens. */
async function takePort(): Promise<string> {
  const server = createServer()
  others.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return String((server.address() as AddressInfo).port)
}

describe.each(roles)('the role %s refuses to serve, in one line, and never calls itself ready', (role) => {
  test('from a database that was never migrated', async () => {
    await withEmptyDatabase(async (url) => {
      expect(await fail(role, { DATABASE_URL: url })).toEqual({
        exitCode: 1,
        stderr: 'makola: The database has no Makola schema yet. Run `makola migrate` first.\n',
        messages: [],
      })
    })
  })

  test('from a database that lacks a migration', async () => {
    const newest = await sql<{
      name: string
    }>`delete from schema_migrations where name = (select max(name) from schema_migrations) returning *`.execute(database.ownerDb)
    const name = newest.rows[0]?.name ?? ''
    const failed = await fail(role)
    await database.ownerDb
      .insertInto('schema_migrations' as never)
      .values(newest.rows)
      .execute()
    expect(failed).toEqual({
      exitCode: 1,
      stderr: `makola: The database lacks ${name}. Run \`makola migrate\` first.\n`,
      messages: [],
    })
  })

  test('without a database', async () => {
    const { exitCode, stderr, messages } = await fail(role, { DATABASE_URL: 'postgresql://nobody@127.0.0.1:9/nowhere' })
    expect([exitCode, messages]).toEqual([1, []])
    expect(stderr).toMatch(/^makola: The database cannot be reached: .+\n$/)
  })

  test('without the key of a database of its own', async () => {
    const { exitCode, stderr, messages } = await fail(role, { SECRETS_KEY: '' })
    expect([exitCode, messages]).toEqual([2, []])
    expect(stderr).toContain('set SECRETS_KEY or SECRETS_KEY_FILE')
  })

  test('through a pooler that shares sessions out by transaction', async () => {
    const pooler = await startSessionPooler({ url: database.applicationUrl, dropsOptions: true })
    const { exitCode, stderr, messages } = await fail(role, { DATABASE_URL: pooler.url })
    await pooler.stop()
    expect([exitCode, messages]).toEqual([1, []])
    expect(stderr).toMatch(
      /^makola: What stands between Makola and PostgreSQL drops the settings that a connection asks for\. .+\n$/,
    )
  })

  test('in another mode than the one the database was stamped with', async () => {
    await sql`insert into installation (mode) values ('live') on conflict do nothing`.execute(database.ownerDb)
    await sql`update installation set mode = 'live'`.execute(database.ownerDb)
    const { exitCode, stderr, messages } = await fail(role)
    await sql`update installation set mode = 'simulated'`.execute(database.ownerDb)
    expect([exitCode, messages]).toEqual([1, []])
    expect(stderr).toContain('This database is live, and a process that is simulated must not work on it.')
    expect(stderr.trimEnd()).not.toContain('\n')
  })
})

test.each(roles)('the role %s serves with one login for everything, and warns of it', async (role) => {
  const { child, said } = startRole(role, { DATABASE_URL: database.ownerUrl })
  await once(child, 'message')
  child.kill('SIGTERM')
  expect(await once(child, 'close')).toEqual([0, null])
  expect(said.stdout).toContain('The login makola_owner owns the tables, or may work as their owner')
})

test('a role that somebody starts alone keeps its memory small: it restarts itself with Node’s options under its number', async () => {
  const env = { ...programEnvironment(), DATA_DIR: folder, DATABASE_URL: database.applicationUrl, SECRETS_KEY: secretsKey }
  const child = spawn(process.execPath, [entry, 'worker'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  children.add(child)
  await once(child.stdout, 'data')
  const options = execFileSync('ps', ['-o', 'args=', '-p', String(child.pid)], { encoding: 'utf8' })
  expect(options).toMatch(/ --max-semi-space-size=\d+ --max-old-space-size=\d+ .*makola\.js worker$/m)
  child.kill('SIGTERM')
  expect(await once(child, 'close')).toEqual([0, null])
})

test.each(roles)('`makola ready %s` ends with 0 while the role is ready, and with 1 when none answers', async (role) => {
  const port = String(await findFreePort('127.0.0.1'))
  const environment = { PORT: port, METRICS_PORT: port, ...(role === 'api' && { METRICS_PORT: '' }) }
  const ask = async () => {
    const child = spawn(process.execPath, [entry, 'ready', role], { env: { ...programEnvironment(), ...environment } })
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
    return { exitCode: child.exitCode, stdout, stderr }
  }
  expect(await ask()).toEqual({ exitCode: 1, stdout: '', stderr: `makola: No ${role} answers here.\n` })
  const { child } = startRole(role, environment)
  await once(child, 'message')
  expect(await ask()).toEqual({ exitCode: 0, stdout: `The ${role} is ready.\n`, stderr: '' })
})

test('a second API process that counts in its own memory says so, and doctor calls it a problem', async () => {
  const limitsOf = async (store: string) => {
    const findings = await examineInstallation({
      DATABASE_URL: database.applicationUrl,
      DATA_DIR: folder,
      SECRETS_KEY: secretsKey,
      RATE_LIMIT_STORE: store,
    })
    return findings.filter(({ topic }) => topic === 'limits')
  }
  expect(await limitsOf('postgres')).toMatchObject([{ level: 'ok', message: expect.stringContaining('counted in PostgreSQL') }])
  const first = startRole('api', { RATE_LIMIT_STORE: 'memory' })
  await once(first.child, 'message')
  expect(first.said.stdout).not.toContain('in their own memory')
  expect(await limitsOf('postgres')).toMatchObject([{ level: 'warning', message: expect.stringContaining('Start no other') }])
  const second = startRole('api', {})
  await once(second.child, 'message')
  // The log line may arrive after the ready message, because each has its own channel.
  await expect.poll(() => second.said.stdout).toContain('2 API processes work on this database, of which 1 count')
  expect(await limitsOf('postgres')).toMatchObject([
    { level: 'problem', message: expect.stringContaining('in their own memory') },
  ])
})

describe('a port that is taken', () => {
  test('ends the API with 1 and names the port and the variable', async () => {
    const port = await takePort()
    expect(await fail('api', { HOST: '127.0.0.1', PORT: port })).toEqual({
      exitCode: 1,
      stderr: `makola: Port ${port} is taken by another process. Stop that one, or give this one another port with PORT.\n`,
      messages: [],
    })
  })

  test.each(roles)(
    'for the metrics alone leaves the role %s serving, says so in its log, and lets it end with 0',
    async (role) => {
      const { child, said } = startRole(role, { METRICS_PORT: await takePort(), METRICS_HOST: '127.0.0.1' })
      await once(child, 'message')
      expect(said.messages).toEqual([expect.objectContaining({ kind: 'ready' })])
      child.kill('SIGTERM')
      const [exitCode] = (await once(child, 'close')) as [number | null]
      expect(exitCode).toBe(0)
      const lines = said.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { level: unknown; msg: string; err?: { message: string } })
      const line = lines.find(({ msg }) => msg === 'the metrics for Prometheus cannot be served')
      expect(line?.err?.message).toContain('EADDRINUSE')
      expect(lines.map(({ msg }) => msg)).toContain(`${role} is ready`)
    },
  )
})

import { spawn } from 'node:child_process'
import { access, chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, rmdir, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { patienceSeconds } from '../../../test/patience.ts'
import { commandLineOf, isServerReady } from './embedded/live-server.ts'
import { takeStartLock } from './embedded/start-lock.ts'
import { type EmbeddedPostgres, findEmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'

const log = { info: () => undefined, warn: () => undefined }
const startLockModule = new URL('embedded/start-lock.ts', import.meta.url).href
let folder: string
let running: EmbeddedPostgres[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'makola-embedded-'))
})
afterEach(async () => {
  await Promise.all(running.map((server) => server.stop()))
  running = []
  await rm(folder, { recursive: true, force: true })
})

async function start(dataDir = join(folder, 'data'), settings: Record<string, string> = {}): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir, log, settings })
  running.push(server)
  return server
}

async function query<R extends pg.QueryResultRow>(url: string, text: string): Promise<R[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 60_000 })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query<R>(text)).rows
  } finally {
    await client.end()
  }
}

const postmasterPid = async (dataDir = join(folder, 'data')) =>
  Number((await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0])

async function eventually<T>(attempt: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + patienceSeconds * 1_000
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (performance.now() > deadline) throw error
      await delay(100)
    }
  }
}

test('the first start makes a durable database without a network port, for an owner and for an application that owns nothing', async () => {
  const server = await start()
  const settings = await query<{ name: string; setting: string }>(
    server.ownerUrl,
    `select name, setting from pg_settings where name in
      ('fsync', 'full_page_writes', 'synchronous_commit', 'listen_addresses', 'data_checksums', 'server_encoding')`,
  )
  expect(Object.fromEntries(settings.map((row) => [row.name, row.setting]))).toEqual({
    fsync: 'on',
    full_page_writes: 'on',
    synchronous_commit: 'on',
    listen_addresses: '',
    data_checksums: 'on',
    server_encoding: 'UTF8',
  })
  const owner = await query(
    server.ownerUrl,
    'select current_user as role, rolsuper, rolcreatedb from pg_roles where rolname = current_user',
  )
  expect(owner).toEqual([{ role: 'makola_owner', rolsuper: false, rolcreatedb: true }])
  const application = await query(
    server.applicationUrl,
    `select current_user as role, has_schema_privilege('public', 'create') as may_create`,
  )
  expect(application).toEqual([{ role: 'makola_app', may_create: false }])
})

test('a second start joins the running server, and only the last one to leave stops it', async () => {
  const first = await start()
  const second = await start()
  expect(second.ownerUrl).toBe(first.ownerUrl)
  const pid = await postmasterPid()
  await first.stop()
  expect(await query(second.ownerUrl, 'select 1 as one')).toEqual([{ one: 1 }])
  expect(await postmasterPid()).toBe(pid)
  await second.stop()
  await expect(access(join(folder, 'data', 'postgres', 'postmaster.pid'))).rejects.toThrow('ENOENT')
  running = []
})

test('two first starts at the same moment end with one server', async () => {
  const [first, second] = await Promise.all([start(), start()])
  expect(first.ownerUrl).toBe(second.ownerUrl)
  expect(await query(first.ownerUrl, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('other processes find the running server through its DATA_DIR, and none where none runs', async () => {
  expect(await findEmbeddedPostgres(join(folder, 'data'))).toBeUndefined()
  const server = await start()
  expect(await findEmbeddedPostgres(join(folder, 'data'))).toEqual({
    ownerUrl: server.ownerUrl,
    applicationUrl: server.applicationUrl,
  })
  await server.stop()
  running = []
  expect(await findEmbeddedPostgres(join(folder, 'data'))).toBeUndefined()
})

test('what was committed is there again, at the same address, after the server was killed', async () => {
  const server = await start()
  await query(server.ownerUrl, 'create table kept as select 42 as answer')
  process.kill(await postmasterPid(), 'SIGKILL')
  expect(await eventually(() => query(server.ownerUrl, 'select answer from kept'))).toEqual([{ answer: 42 }])
})

test('a server that is killed while it starts is started again', async () => {
  const first = await start()
  await query(first.ownerUrl, 'create table kept as select 42 as answer')
  await first.stop()
  running = []
  const killed = new Set<number>()
  const starting = start()
  while (killed.size < 2) {
    const pid = await postmasterPid().catch(() => 0)
    if (pid > 0 && !killed.has(pid) && killed.add(pid)) process.kill(pid, 'SIGKILL')
    await delay(1)
  }
  const server = await starting
  expect(await eventually(() => query(server.ownerUrl, 'select answer from kept'))).toEqual([{ answer: 42 }])
})

test('a server that others start anew while the last process stops the old one is theirs, and is not waited for', async () => {
  const warnings: string[] = []
  const warn = (_facts: unknown, words?: string) => void warnings.push(words ?? '')
  const first = await startEmbeddedPostgres({ dataDir: join(folder, 'data'), log: { info: log.info, warn } })
  const pid = await postmasterPid()
  const stopping = first.stop()
  await eventually(async () => {
    if (await findEmbeddedPostgres(join(folder, 'data'))) throw new Error('the old server still runs')
  })
  const second = await start()
  await stopping
  expect(warnings).toEqual([])
  expect(await postmasterPid()).not.toBe(pid)
  expect(await query(second.ownerUrl, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('whoever stops the server leaves its socket folder to a process that starts one at that moment', async () => {
  const server = await start()
  const socketFolder = new URL(server.ownerUrl).searchParams.get('host') ?? ''
  using starting = await takeStartLock(join(folder, 'data', 'postgres.start'))
  expect(starting).toBeDefined()
  await server.stop()
  await rmdir(socketFolder)
})

test('a session of a killed server that never ends by itself is ended, and a new server starts', async () => {
  const server = await start()
  await query(server.ownerUrl, 'create table kept as select 42 as answer')
  const session = new pg.Client({ connectionString: server.ownerUrl })
  session.on('error', () => undefined)
  await session.connect()
  const { rows } = await session.query<{ pid: number }>('select pg_backend_pid() as pid')
  const sessionPid = rows[0]?.pid ?? 0
  process.kill(sessionPid, 'SIGSTOP')
  process.kill(await postmasterPid(), 'SIGKILL')
  expect(await eventually(() => query(server.ownerUrl, 'select answer from kept'))).toEqual([{ answer: 42 }])
  expect(await commandLineOf(sessionPid)).toBe('')
})

test('of two that want to start a server one must wait, until the other has ended', async () => {
  const file = join(folder, 'start')
  const words = `import(${JSON.stringify(startLockModule)}).then(({ takeStartLock }) => takeStartLock(${JSON.stringify(file)}))`
  const other = spawn(process.execPath, ['-e', `${words}.then(console.log); setInterval(() => 0, 1_000)`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise((resolve) => other.stdout.once('data', resolve))
  expect(await takeStartLock(file)).toBeUndefined()
  other.kill('SIGKILL')
  const taken = await eventually(async () => (await takeStartLock(file)) ?? Promise.reject(new Error('the lock is still taken')))
  expect(await takeStartLock(file)).toBeUndefined()
  taken[Symbol.dispose]()
  using again = await takeStartLock(file)
  expect(again).toBeDefined()
})

test('a process that waits while another one starts the server again can be stopped', async () => {
  const server = await start()
  running = []
  using lock = await takeStartLock(join(folder, 'data', 'postgres.start'))
  expect(lock).toBeDefined()
  process.kill(await postmasterPid(), 'SIGKILL')
  await server.stop()
  expect(await findEmbeddedPostgres(join(folder, 'data'))).toBeUndefined()
})

test('a data folder that is lost while its server dies is waited for, and no empty database takes its place', async () => {
  const warnings: string[] = []
  const warn = (words: { err?: Error }) => void warnings.push(words.err?.message ?? '')
  const server = await startEmbeddedPostgres({ dataDir: join(folder, 'data'), log: { info: log.info, warn } })
  running.push(server)
  await query(server.ownerUrl, 'create table kept as select 42 as answer')
  const pid = await postmasterPid()
  const cluster = join(folder, 'data', 'postgres')
  await rename(cluster, join(folder, 'unmounted'))
  process.kill(pid, 'SIGKILL')
  await eventually(async () => expect(warnings.filter((words) => words.includes('cannot be found')).length).toBeGreaterThan(1))
  await rename(join(folder, 'unmounted'), cluster)
  expect(await eventually(() => query(server.ownerUrl, 'select answer from kept'))).toEqual([{ answer: 42 }])
})

test('what an earlier server left in the lock file does not make a new one with its process id ready', async () => {
  await start()
  const cluster = join(folder, 'data', 'postgres')
  const lock = await readFile(join(cluster, 'postmaster.pid'), 'utf8')
  expect(await isServerReady(cluster, await postmasterPid(), undefined)).toBe(true)
  expect(await isServerReady(cluster, await postmasterPid(), lock)).toBe(false)
})

describe('after everything was killed', () => {
  /** Starts another process, which starts the server and keeps it running. */
  async function startHolder() {
    const program = new URL('../../../test/running/hold-embedded-postgres.ts', import.meta.url).pathname
    const words = [program, join(folder, 'data')]
    const holder = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] })
    await new Promise((resolve) => holder.stdout.once('data', resolve))
    return holder
  }

  /** Leaves a data folder in the state after `kill -9` of every process: lock file and socket are there, but no process. */
  async function killEverything(): Promise<string> {
    const holder = await startHolder()
    const pid = await postmasterPid()
    const lockFile = await readFile(join(folder, 'data', 'postgres', 'postmaster.pid'), 'utf8')
    holder.kill('SIGKILL')
    process.kill(pid, 'SIGKILL')
    await eventually(async () => {
      if (isAlive(pid)) throw new Error('the server still lives')
    })
    return lockFile
  }

  const isAlive = (pid: number) => {
    try {
      process.kill(pid, 0)
      return true
    } catch {
      return false
    }
  }

  test('the next start recovers from the stale lock file and socket', async () => {
    await killEverything()
    const server = await start()
    expect(await query(server.ownerUrl, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test('the next start recovers although the process id in the lock file belongs to somebody else now', async () => {
    const lockFile = await killEverything()
    const dataFolder = join(folder, 'data', 'postgres')
    const { uid, gid } = await stat(dataFolder)
    // The process belongs to the server's user: PostgreSQL takes such a process for another server and refuses to
    // start.
    const stranger = spawn('sleep', ['600'], { stdio: 'ignore', uid, gid })
    try {
      const lines = lockFile.split('\n')
      await writeFile(join(dataFolder, 'postmaster.pid'), [String(stranger.pid), ...lines.slice(1)].join('\n'))
      const server = await start()
      expect(await query(server.ownerUrl, 'select 1 as one')).toEqual([{ one: 1 }])
      expect(stranger.exitCode).toBeNull()
    } finally {
      stranger.kill('SIGKILL')
    }
  })

  test('a server that survived its starter is joined', async () => {
    const holder = await startHolder()
    const pid = await postmasterPid()
    holder.kill('SIGKILL')
    await start()
    expect(await postmasterPid()).toBe(pid)
  })
})

describe('the data folder may be anywhere', () => {
  test('with a path longer than a socket address can hold', async () => {
    const deep = join(folder, ...Array.from({ length: 8 }, () => 'a-folder-with-a-rather-long-name'))
    await mkdir(deep, { recursive: true })
    const server = await start(join(deep, 'data'))
    expect(await query(server.applicationUrl, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test('below a folder that everybody may enter as well as below a private one', async () => {
    await chmod(folder, 0o755)
    await mkdir(join(folder, 'data'), { mode: 0o755 })
    const server = await start()
    expect(await query(server.applicationUrl, 'select 1 as one')).toEqual([{ one: 1 }])
  })
})

test('a server that cannot start says why at once, in its own words', async () => {
  await expect(start(join(folder, 'data'), { shared_buffers: 'plenty' })).rejects.toThrow(
    /PostgreSQL did not start: .*shared_buffers.*plenty/,
  )
})

test('a server that cannot start after its log has begun says why, too', async () => {
  await (await start()).stop()
  running = []
  const wal = join(folder, 'data', 'postgres', 'pg_wal')
  for (const name of await readdir(wal)) if (/^[0-9A-F]{24}$/.test(name)) await rm(join(wal, name))
  await expect(start()).rejects.toThrow(/PostgreSQL did not start: .*could not locate a valid checkpoint record/)
})

test.runIf(process.getuid?.() === 0)('a start by root does not lead the server to a file of root', async () => {
  await (await start()).stop()
  running = []
  const secret = join(folder, 'secret')
  await writeFile(secret, 'kept by root', { mode: 0o600 })
  const logFile = join(folder, 'data', 'postgres', 'start.log')
  await rm(logFile)
  await symlink(secret, logFile)
  await expect(start()).rejects.toThrow(/PostgreSQL did not start: .*start\.log.*Permission denied/)
  expect(await readFile(secret, 'utf8')).toBe('kept by root')
  expect((await stat(secret)).uid).toBe(0)
})

test('a data folder of another PostgreSQL version is refused by name', async () => {
  await (await start()).stop()
  running = []
  await writeFile(join(folder, 'data', 'postgres', 'PG_VERSION'), '12\n')
  await expect(start()).rejects.toThrow(/made by PostgreSQL 12, and this installation brings \d+/)
})

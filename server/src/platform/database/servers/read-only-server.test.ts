import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTcpProxy } from '../../../../test/servers/tcp-proxy.ts'
import { createTestDatabase, type TestDatabase } from '../../../../test/test-database.ts'
import { checkServer } from '../check-server.ts'
import { connectDatabase, type Db } from '../database.ts'
import { classifyDatabaseError } from '../database-errors.ts'

let writable: TestDatabase
let readOnly: TestDatabase
const opened: Db[] = []

beforeAll(async () => {
  writable = await createTestDatabase()
  readOnly = await createTestDatabase()
  await setReadOnly(readOnly, 'on')
})
afterAll(async () => {
  await Promise.all(opened.map((db) => db.destroy()))
  await Promise.all([writable.drop(), readOnly.drop()])
})

/** Makes new connections read-only or not, as when an administrator or a managed service switches the server. */
async function setReadOnly(database: TestDatabase, value: 'on' | 'off'): Promise<void> {
  await sql`do $$ begin execute format('alter database %I set default_transaction_read_only = ${sql.raw(value)}', current_database()); end $$`.execute(
    database.ownerDb,
  )
}

function open(url: string, poolSize = 1): Db {
  const db = connectDatabase({ url, poolSize, applicationName: 'makola tests' })
  opened.push(db)
  return db
}

const databaseOf = async (db: Db) => (await sql<{ name: string }>`select current_database() as name`.execute(db)).rows[0]?.name
const nameIn = (url: string) => new URL(url).pathname.slice(1)
const hostOf = (url: string) => new URL(url).searchParams.get('host') ?? new URL(url).hostname

/** The path of the socket, or the port, on which a database's server listens; a proxy connects to it. */
function targetOf(url: string): string | number {
  const [host, port] = [hostOf(url), new URL(url).port || '5432']
  return host.startsWith('/') ? `${host}/.s.PGSQL.${port}` : Number(port)
}

test('a server that takes no writes is refused at connect, also for reading, and counts as away', async () => {
  const refused = await databaseOf(open(readOnly.applicationUrl)).catch((error: unknown) => error)
  expect(String(refused)).toContain('The database server takes no writes: default_transaction_read_only is on.')
  expect(classifyDatabaseError(refused)).toBe('connection_lost')
  await expect(checkServer(readOnly.applicationUrl)).rejects.toThrow('takes no writes')
})

test('a connection that becomes read-only is thrown away, and the next statement is served by a new one', async () => {
  const db = open(writable.applicationUrl)
  await sql`set default_transaction_read_only = on`.execute(db)
  const { rows } = await sql<{ value: string }>`select current_setting('default_transaction_read_only') as value`.execute(db)
  expect(rows).toEqual([{ value: 'off' }])
})

test('a connection that answers 25006 is thrown away', async () => {
  const db = open(writable.applicationUrl)
  const pid = async () => (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]?.pid
  const before = await pid()
  expect(await pid()).toBe(before)
  const error = await sql`begin read only; insert into accounts default values`.execute(db).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ code: '25006' })
  expect(classifyDatabaseError(error)).toBe('connection_lost')
  expect(await pid()).not.toBe(before)
})

test('of several hosts the first that takes writes is used, whatever is wrong with those before it', async () => {
  const listener = createServer((socket) => socket.destroy())
  await new Promise<void>((resolve) => {
    listener.listen(0, '127.0.0.1', resolve)
  })
  const { port } = listener.address() as { port: number }
  const { username, port: serverPort } = new URL(writable.applicationUrl)
  const hosts = `127.0.0.1,127.0.0.1,${hostOf(writable.applicationUrl)}`
  const address = `postgresql://${username}@/${nameIn(writable.applicationUrl)}?host=${hosts}&port=1,${port},${serverPort || 5432}`
  const url = `${address}&target_session_attrs=read-write`
  try {
    const db = open(url, 2)
    expect(await databaseOf(db)).toBe(nameIn(writable.applicationUrl))
    expect(await Promise.all([databaseOf(db), databaseOf(db)])).toHaveLength(2)
    await expect(checkServer(url)).resolves.toBeUndefined()
  } finally {
    listener.close()
  }
})

test('a host that does not answer is not waited for: another one that begins to take writes is used meanwhile', async () => {
  let isGivenUp = false
  const sockets: Socket[] = []
  const hanging = createServer((socket) => sockets.push(socket.on('close', () => (isGivenUp = true))))
  await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve))
  const promoted = await createTestDatabase()
  await setReadOnly(promoted, 'on')
  const { port: hangingPort } = hanging.address() as { port: number }
  const { username, port } = new URL(promoted.applicationUrl)
  const hosts = `127.0.0.1,${hostOf(promoted.applicationUrl)}&port=${hangingPort},${port || 5432}`
  const url = `postgresql://${username}@/${nameIn(promoted.applicationUrl)}?host=${hosts}`
  const db = connectDatabase({ url, poolSize: 1, applicationName: 'makola tests', connectTimeoutMilliseconds: 60_000 })
  try {
    // The second call waits for the only connection of the pool, which does not open while the first host is silent.
    const found = Promise.all([databaseOf(db), databaseOf(db)])
    await once(hanging, 'connection')
    await setReadOnly(promoted, 'off')
    expect(await found).toEqual([nameIn(promoted.applicationUrl), nameIn(promoted.applicationUrl)])
    expect(isGivenUp).toBe(false)
  } finally {
    for (const socket of sockets) socket.destroy()
    hanging.close()
    await db.destroy()
    await promoted.drop()
  }
})

test('after a connection that did not answer, those from before are not handed out: the server is looked for anew', async () => {
  const { username, port } = new URL(writable.applicationUrl)
  const host = hostOf(writable.applicationUrl)
  const cable = await openTcpProxy({ target: async () => targetOf(writable.applicationUrl) })
  const hosts = `127.0.0.1,${host}&port=${cable.port},${port || 5432}`
  const url = `postgresql://${username}@/${nameIn(writable.applicationUrl)}?host=${hosts}`
  const db = connectDatabase({ url, poolSize: 3, applicationName: 'makola tests', queryTimeoutMilliseconds: 1_000 })
  try {
    await Promise.all([databaseOf(db), databaseOf(db), databaseOf(db)])
    cable.blackHole()
    await expect(databaseOf(db)).rejects.toThrow('Query read timeout')
    expect(await databaseOf(db)).toBe(nameIn(writable.applicationUrl))
  } finally {
    cable.heal()
    await db.destroy()
    await cable.close()
  }
})

test('when a server is met that was promoted later, all pools leave the former one, and what waits there fails at once', async () => {
  const { rows } = await sql<{ line: string }>`select left(pg_walfile_name(pg_current_wal_lsn()), 8) as line`.execute(writable.db)
  const line = rows[0]?.line ?? ''
  const target = targetOf(writable.applicationUrl)
  let isPromoted = false
  const former = await openTcpProxy({ target: async () => target })
  const promoted = await openTcpProxy({
    target: () => (isPromoted ? Promise.resolve(target) : Promise.reject(new Error('it is not there yet'))),
    inspect: () => ({
      fromClient: (data) => data,
      fromServer: (data) => Buffer.from(data.toString('latin1').replace(line, 'FFFFFFFF'), 'latin1'),
    }),
  })
  const name = nameIn(writable.applicationUrl)
  const { username } = new URL(writable.applicationUrl)
  const url = `postgresql://${username}@127.0.0.1:${former.port},127.0.0.1:${promoted.port}/${name}`
  const [buying, reading] = [open(url), open(url)]
  try {
    expect(await Promise.all([databaseOf(buying), databaseOf(reading)])).toEqual([name, name])
    const waiting = sql`select pg_sleep(60)`.execute(buying).catch((error: unknown) => error)
    isPromoted = true
    expect(classifyDatabaseError(await waiting)).toBe('connection_lost')
    former.blackHole()
    expect(await Promise.all([databaseOf(buying), databaseOf(reading)])).toEqual([name, name])
    former.heal()
    // The former leader answers again while a statement takes long. That is no reason to break the statement off.
    await sql`select pg_sleep(1.2)`.execute(buying)
  } finally {
    await Promise.all([former.close(), promoted.close()])
  }
})

test('when every host is away or takes no writes, the reason of each is said', async () => {
  const { username, port } = new URL(readOnly.applicationUrl)
  const hosts = `127.0.0.1,${hostOf(readOnly.applicationUrl)}&port=1,${port || 5432}`
  const db = open(`postgresql://${username}@/${nameIn(readOnly.applicationUrl)}?host=${hosts}`)
  await expect(databaseOf(db)).rejects.toThrow(/ECONNREFUSED.*\|.*takes no writes/)
})

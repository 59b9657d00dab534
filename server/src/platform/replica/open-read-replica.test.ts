import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { patienceSeconds } from '../../../test/patience.ts'
import { type Standby, startStandby } from '../../../test/servers/start-standby.ts'
import { createTestDatabase } from '../../../test/test-database.ts'
import { migrateDatabase } from '../../commands/run/migrate-installation.ts'
import { connectDatabase, connectPool, type Db, databaseOver } from '../database/database.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../database/embedded-postgres.ts'
import { type Epoch, watchEpoch } from '../database/epoch.ts'
import { moveMark } from '../history/mark.ts'
import type { Settings } from '../settings/settings.ts'
import { openReadReplica, type Reading, type ReadReplica } from './open-read-replica.ts'

let folder: string
let server: EmbeddedPostgres
let standby: Standby
let db: Db
let epoch: Epoch
let replica: ReadReplica
let moving: NodeJS.Timeout

/** The most that the standby may be behind in these tests. Even a busy machine is not further behind. */
const mostSeconds = 5
const settings = { peek: () => mostSeconds, read: () => Promise.resolve(mostSeconds) } as unknown as Settings

async function open(url: string, primaryUrl = server.applicationUrl): Promise<ReadReplica> {
  const primary = connectPool({ url: primaryUrl, poolSize: 4, applicationName: 'makola tests' })
  const standbyOptions = { url, applicationName: 'makola tests' }
  const log = pino({ level: 'silent' })
  return openReadReplica({ standby: standbyOptions, db: databaseOver(primary), primary, epoch, settings, log })
}

const isOnStandby = async (from: ReadReplica = replica) =>
  (await sql<{ it: boolean }>`select pg_is_in_recovery() as it`.execute(from.readDb)).rows[0]?.it

const readNow = () => replica.ask(() => isOnStandby())

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'makola-replica-'))
  server = await startEmbeddedPostgres({ dataDir: folder, log: { info: () => undefined, warn: () => undefined } })
  await migrateDatabase(server.ownerUrl)
  // This standby cancels a query at once when the query would delay changes from the primary.
  standby = await startStandby(folder, { max_standby_streaming_delay: '0' })
  db = databaseOver(connectPool({ url: server.applicationUrl, poolSize: 4, applicationName: 'makola tests' }))
  epoch = await watchEpoch(db)
  moving = setInterval(() => void moveMark(db).catch(() => undefined), 500)
  await moveMark(db)
  replica = await open(standby.url)
})
afterAll(async () => {
  clearInterval(moving)
  epoch?.stop()
  await replica?.stop()
  await standby?.destroy()
  await db?.destroy()
  await server?.stop()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(() => vi.waitUntil(readNow, { timeout: patienceSeconds * 1_000 }))

test('reads go to the standby inside of a piece of work that reads, and to the primary everywhere else', async () => {
  const reading: Reading = { isOnPrimary: false }
  expect(await replica.ask(() => isOnStandby(), reading)).toBe(true)
  expect(reading.ageSeconds).toBeLessThanOrEqual(mostSeconds)
  expect(await isOnStandby()).toBe(false)
  expect(await replica.ask(() => isOnStandby(), { isOnPrimary: true })).toBe(false)
})

test('a standby that falls further behind than allowed is not asked until it has caught up', async () => {
  await standby.administrate('select pg_wal_replay_pause()')
  await expect.poll(readNow).toBe(false)
  // Nothing is read from a standby that is too old, so waiting for it ends at once.
  await replica.untilCaughtUp()
  await standby.administrate('select pg_wal_replay_resume()')
  await expect.poll(readNow).toBe(true)
})

test('who waits for the standby reads there what was committed before', async () => {
  await sql`insert into settings (name, value, updated_by) values ('caught_up', '1', 'test')`.execute(db)
  await replica.untilCaughtUp()
  const read = () => sql`select name from settings where name = 'caught_up'`.execute(replica.readDb)
  expect((await replica.ask(read)).rows).toHaveLength(1)
})

test('what the standby cancels to keep up with the primary is asked again on the primary', async () => {
  const reading = { isOnPrimary: false }
  const longRead = async () =>
    (
      await sql<{ it: boolean }>`
        select count(*), (select pg_is_in_recovery() as it from pg_sleep(case when pg_is_in_recovery() then 600 else 0 end))
        from settings`.execute(replica.readDb)
    ).rows[0]?.it
  const asked = replica.ask(longRead, reading)
  const isSleeping = `select from pg_stat_activity where wait_event = 'PgSleep'`
  await expect.poll(() => standby.administrate(isSleeping)).toHaveLength(1)
  const owner = databaseOver(connectPool({ url: server.ownerUrl, poolSize: 1, applicationName: 'makola tests' }))
  await owner.transaction().execute((tx) => sql`lock table settings in access exclusive mode`.execute(tx))
  await owner.destroy()
  expect(await asked).toBe(false)
  expect(reading).toMatchObject({ isOnPrimary: true, ageSeconds: 0 })
})

test('a standby that hangs is left, what it was asked is asked on the primary, and it is used again when it is back', async () => {
  const ofTest = `select pid from pg_stat_activity where application_name = 'makola tests'`
  const pids = (await standby.administrate<{ pid: number }>(ofTest)).map(({ pid }) => pid)
  // One connection checks the age of the data, and another one reads.
  expect(pids.length).toBeGreaterThanOrEqual(2)
  for (const pid of pids) process.kill(pid, 'SIGSTOP')
  try {
    expect(await replica.ask(() => isOnStandby())).toBe(false)
  } finally {
    for (const pid of pids) process.kill(pid, 'SIGCONT')
  }
  await expect.poll(readNow).toBe(true)
})

test('the standby of another database is never asked', async () => {
  const other = await createTestDatabase()
  const wrong = await open(standby.url, other.applicationUrl)
  try {
    expect(await wrong.ask(() => isOnStandby(wrong))).toBe(false)
  } finally {
    await wrong.stop()
    await other.drop()
  }
})

// This test is the last one, because it makes the standby a primary.
test('of two servers that take writes, the one that was promoted last is used after a connection has broken', async () => {
  const [old, young] = [new URL(server.applicationUrl), new URL(standby.url)]
  const hosts = [old, young].map((url) => url.searchParams.get('host')).join(',')
  const url = `postgresql://${old.username}@${old.pathname}?host=${hosts}&port=${old.port},${young.port}`
  const cluster = connectDatabase({ url: url.replace('@/', '@localhost/'), poolSize: 2, applicationName: 'makola tests' })
  const timeLine = async () =>
    (await sql<{ line: string }>`select left(pg_walfile_name(pg_current_wal_lsn()), 8) as line`.execute(cluster)).rows[0]?.line
  const before = await timeLine()
  await standby.promote()
  expect(await timeLine()).toBe(before)
  await expect(sql`select pg_terminate_backend(pg_backend_pid())`.execute(cluster)).rejects.toThrow(/terminat/)
  expect(await timeLine()).toBe('00000002')
  await cluster.destroy()
})

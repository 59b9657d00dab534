import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts'
import { checkApplicationRole } from './check-application-role.ts'
import { checkServer, readServerFacts } from './check-server.ts'
import { connectDatabase } from './database.ts'
import { startEmbeddedPostgres } from './embedded-postgres.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

test('a durable server of version 15 or newer is accepted', async () => {
  await expect(checkServer(database.applicationUrl)).resolves.toBeUndefined()
  expect((await readServerFacts(database.applicationUrl)).majorVersion).toBeGreaterThanOrEqual(15)
})

test('a database whose commits need not be durable is refused, although our own sessions ask for durability', async () => {
  const other = await createTestDatabase()
  try {
    await sql`do $$ begin execute format('alter database %I set synchronous_commit = off', current_database()); end $$`.execute(
      other.ownerDb,
    )
    await expect(checkServer(other.applicationUrl)).rejects.toThrow(
      'could lose acknowledged orders in a crash: synchronous_commit = off',
    )
  } finally {
    await other.drop()
  }
})

test('a server that runs without fsync or full_page_writes is refused', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'makola-durability-'))
  const log = { info: () => undefined, warn: () => undefined }
  const server = await startEmbeddedPostgres({ dataDir: folder, log, settings: { fsync: 'off', full_page_writes: 'off' } })
  try {
    await expect(checkServer(server.applicationUrl)).rejects.toThrow('crash: fsync = off, full_page_writes = off')
  } finally {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
})

test('the application role is accepted, and the owner of the tables is refused', async () => {
  await expect(checkApplicationRole(database.db)).resolves.toBeUndefined()
  await expect(checkApplicationRole(database.ownerDb)).rejects.toThrow(/may change the history in .*transfers/)
})

test('the owner who works as the application role is accepted, also when the address brings options of its own', async () => {
  const url = `${database.ownerUrl}${database.ownerUrl.includes('?') ? '&' : '?'}options=-c%20work_mem%3D5MB`
  const db = connectDatabase({ url, role: 'makola_app', poolSize: 1, applicationName: 'makola tests' })
  try {
    await expect(checkApplicationRole(db)).resolves.toBeUndefined()
    const { rows } = await sql<Record<string, string>>`
      select current_setting('work_mem') as work_mem, current_setting('synchronous_commit') as synchronous_commit`.execute(db)
    expect(rows).toEqual([{ work_mem: '5MB', synchronous_commit: 'on' }])
  } finally {
    await db.destroy()
  }
})

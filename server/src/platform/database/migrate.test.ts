import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { patienceSeconds } from '../../../test/patience.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts'
import { connectDatabase, type Db } from './database.ts'
import { startEmbeddedPostgres } from './embedded-postgres.ts'
import { inTransaction } from './in-transaction.ts'
import { checkSchema, migrate } from './migrate.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

async function waitingForLocks(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from pg_locks where not granted`.execute(db)
  return rows[0]?.count ?? 0
}

test('migrating twice changes nothing the second time', async () => {
  expect(await migrate(database.ownerDb)).toEqual([])
})

/** Calls `use` with a new folder that holds these migrations. */
async function withMigrations<T>(files: Readonly<Record<string, string>>, use: (folder: URL) => Promise<T>): Promise<T> {
  const path = await mkdtemp(join(tmpdir(), 'makola-migrations-'))
  try {
    for (const [name, text] of Object.entries(files)) await writeFile(join(path, name), text)
    return await use(pathToFileURL(`${path}/`))
  } finally {
    await rm(path, { recursive: true, force: true })
  }
}

const indexesOf = async (db: Db) => {
  const { rows } = await sql<{ definition: string }>`
    select pg_get_indexdef(indexrelid) as definition from pg_index where indisvalid order by 1`.execute(db)
  return rows.map(({ definition }) => definition)
}

test('each migration that runs outside a transaction can be begun again', async () => {
  const folder = new URL('../../../migrations/', import.meta.url)
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql'))
  const texts = await Promise.all(names.map((name) => readFile(new URL(name, folder), 'utf8')))
  const outside = texts.filter((text) => text.startsWith('-- outside a transaction\n'))
  const before = await indexesOf(database.ownerDb)
  for (const statement of outside.flatMap((text) => text.split(/;$/m)).filter((each) => each.trim() !== ''))
    await sql.raw(statement).execute(database.ownerDb)
  expect(await indexesOf(database.ownerDb)).toEqual(before)
})

test('a migration outside a transaction keeps what it did before it failed, and is begun again by the next call', async () => {
  const other = await createTestDatabase()
  const makeIndex =
    'drop index concurrently if exists references_by_kind;\ncreate index concurrently references_by_kind on order_references (kind);\n'
  const migrateWith = (statement: string) =>
    withMigrations({ '0002_kinds.sql': `-- outside a transaction\n${makeIndex}${statement};\n` }, (folder) =>
      migrate(other.ownerDb, { hasTwoLogins: false, folder }),
    )
  try {
    await expect(migrateWith('select 1 / 0')).rejects.toThrow('The migration 0002_kinds failed: division by zero')
    expect(await indexesOf(other.ownerDb)).toContainEqual(expect.stringContaining('references_by_kind'))
    expect(await migrateWith('select 1')).toEqual(['0002_kinds'])
  } finally {
    await other.drop()
  }
})

test('a migration that waits for a table behind a long reader keeps nobody else waiting, and ends after the reader', async () => {
  const other = await createTestDatabase()
  const text = 'alter table attempt_answers add column weight integer;'
  try {
    await withMigrations({ '0002_weights.sql': text }, async (folder) => {
      let migrating: Promise<string[]> | undefined
      await inTransaction(other.ownerDb, async (tx) => {
        await sql`select from attempt_answers`.execute(tx)
        migrating = migrate(other.ownerDb, { hasTwoLogins: false, folder })
        await vi.waitUntil(async () => (await waitingForLocks(other.ownerDb)) > 0, { timeout: patienceSeconds * 1_000 })
        // This read queues behind the migration, and is answered when the migration has given up for now.
        await sql`select from attempt_answers`.execute(other.db)
      })
      expect(await migrating).toEqual(['0002_weights'])
    })
    await expect(checkSchema(other.db)).resolves.toBeUndefined()
  } finally {
    await other.drop()
  }
})

test('the schema check accepts a migrated database, seen by the application role', async () => {
  await expect(checkSchema(database.db)).resolves.toBeUndefined()
})

test('the application role cannot change or remove a transfer', async () => {
  await expect(sql`update transfers set amount = 1`.execute(database.db)).rejects.toThrow(/permission denied/)
  await expect(sql`delete from transfers`.execute(database.db)).rejects.toThrow(/permission denied/)
})

test('a database that lacks a migration is refused by its name, one of before the first release and one never migrated too', async () => {
  const other = await createTestDatabase()
  try {
    await sql`update schema_migrations set name = '0003_money'`.execute(other.ownerDb)
    await expect(checkSchema(other.db)).rejects.toThrow('The database lacks 0001_baseline. Run `makola migrate` first.')
    await expect(migrate(other.ownerDb)).rejects.toThrow('made by a version from before the first release')
    await sql`drop table schema_migrations`.execute(other.ownerDb)
    await expect(checkSchema(other.db)).rejects.toThrow('has no Makola schema yet')
  } finally {
    await other.drop()
  }
})

test('a database with a newer migration than this code knows is served', async () => {
  const other = await createTestDatabase()
  try {
    await sql`insert into schema_migrations (name, timestamp) values ('9999_future', '2030-01-01')`.execute(other.ownerDb)
    await expect(checkSchema(other.db)).resolves.toBeUndefined()
  } finally {
    await other.drop()
  }
})

test('a login that may not become the application role is told what an administrator has to run', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'makola-roles-'))
  const server = await startEmbeddedPostgres({ dataDir: folder, log: { info: () => undefined, warn: () => undefined } })
  const administratorUrl = server.ownerUrl.replace('makola_owner@', 'postgres@')
  const administrator = connectDatabase({ url: administratorUrl, poolSize: 1, applicationName: 'makola tests' })
  await sql`create role plain login`.execute(administrator)
  await appendFile(join(folder, 'postgres', 'pg_ident.conf'), `makola "${userInfo().username}" plain\n`)
  await sql`select pg_reload_conf()`.execute(administrator)
  await sql`grant create on schema public to plain`.execute(administrator)
  const plain = connectDatabase({
    url: server.ownerUrl.replace('makola_owner@', 'plain@'),
    poolSize: 1,
    applicationName: 'makola tests',
  })
  try {
    await expect(migrate(plain)).rejects.toThrow(
      'Run this once as an administrator of the database server: grant makola_app to "plain";',
    )
    await sql`grant makola_app to plain`.execute(administrator)
    expect(await migrate(plain)).not.toEqual([])
  } finally {
    await Promise.all([plain.destroy(), administrator.destroy()])
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
})

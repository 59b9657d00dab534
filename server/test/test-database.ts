import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { inject } from 'vitest'
import { connectDatabase, type Db } from '../src/platform/database/database.ts'
import { patienceSeconds } from './patience.ts'
import { withDatabaseName } from './running/database-server.ts'

export type TestDatabase = {
  name: string
  /** As the tables' owner. */
  ownerUrl: string
  /** As a login with the application role's rights only, like every process. */
  applicationUrl: string
  db: Db
  ownerDb: Db
  /** Closes both pools and removes the database, even while other connections to it are open. */
  drop(): Promise<void>
}

/** Some tests let 64 transactions race. On a slow machine the last one waits long for one of ten connections. */
const pool = {
  poolSize: 10,
  applicationName: 'makola tests',
  connectTimeoutMilliseconds: patienceSeconds * 1_000,
}

/** Test files that share a process share its connection to the maintenance database too. It ends with the process. */
const shared = globalThis as { makolaAdministration?: Db }

function administration(): Db {
  shared.makolaAdministration ??= connectDatabase({ ...pool, url: inject('databaseServer').administrationUrl, poolSize: 1 })
  return shared.makolaAdministration
}

const dropPauseMilliseconds = 250

/**
 * Autovacuum may be running in the database. We may not end its process, and each version of PostgreSQL says so in
 * other words.
 */
const isNotOursToEnd = (error: unknown) => /permission denied to terminate|whose process is being terminated/.test(String(error))

async function dropDatabase(name: string): Promise<void> {
  const deadline = Date.now() + patienceSeconds * 1_000
  for (;;) {
    try {
      return void (await sql`drop database if exists ${sql.id(name)} with (force)`.execute(administration()))
    } catch (error) {
      if (Date.now() > deadline || !isNotOursToEnd(error)) throw error
      await new Promise((resolve) => setTimeout(resolve, dropPauseMilliseconds))
    }
  }
}

/**
 * Makes a database for a test file or a test.
 * @param copied the name of a database that nobody is connected to; the run's template, migrated and empty, if left out
 */
export async function createTestDatabase(copied?: string): Promise<TestDatabase> {
  const server = inject('databaseServer')
  const name = `makola_test_${randomBytes(6).toString('hex')}`
  const template = sql.id(copied ?? server.template)
  await sql`create database ${sql.id(name)} template ${template} strategy ${sql.id(server.copyStrategy)}`.execute(
    administration(),
  )
  const ownerUrl = withDatabaseName(server.administrationUrl, name)
  const applicationUrl = withDatabaseName(server.applicationUrl, name)
  const ownerDb = connectDatabase({ ...pool, url: ownerUrl })
  const db = connectDatabase({ ...pool, url: applicationUrl })
  return {
    name,
    ownerUrl,
    applicationUrl,
    db,
    ownerDb,
    async drop() {
      await Promise.all([db.destroy(), ownerDb.destroy()])
      await dropDatabase(name)
    },
  }
}

/** Creates an empty database without a schema, calls `use` with its owner's address, and removes it. */
export async function withEmptyDatabase<T>(use: (ownerUrl: string) => Promise<T>): Promise<T> {
  const name = `makola_test_${randomBytes(6).toString('hex')}`
  await sql`create database ${sql.id(name)}`.execute(administration())
  try {
    return await use(withDatabaseName(inject('databaseServer').administrationUrl, name))
  } finally {
    await dropDatabase(name)
  }
}

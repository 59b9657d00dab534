import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import process from 'node:process'
import { sql } from 'kysely'
import type { TestProject } from 'vitest/node'
import { buildPrograms } from '../../bin/build-programs.ts'
import { packClients } from '../../bin/pack-clients.ts'
import { connectDatabase } from '../../src/platform/database/database.ts'
import type { DatabaseUrls } from '../../src/platform/database/embedded-postgres.ts'
import { applicationRole, migrate } from '../../src/platform/database/migrate.ts'
import { withDatabaseName } from './database-server.ts'
import { isInMemory } from './test-folders.ts'

/** The application's login on a server of somebody else, where `makola_app` itself cannot log in. */
const outsideLogin = 'makola_test_app'

async function startOwnServer(): Promise<{ urls: DatabaseUrls; server: ChildProcess }> {
  const server = fork(new URL('run-database-server.ts', import.meta.url), {
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const failed = once(server, 'exit').then(() => Promise.reject(new Error('the test database did not start')))
  const [urls] = (await Promise.race([once(server, 'message'), failed])) as [DatabaseUrls]
  failed.catch(() => undefined)
  return { urls, server }
}

/** Runs one piece of work on the maintenance database of the server. */
async function administrate<T>(url: string, work: (db: ReturnType<typeof connectDatabase>) => Promise<T>): Promise<T> {
  const db = connectDatabase({ url, poolSize: 1, applicationName: 'makola tests' })
  try {
    return await work(db)
  } finally {
    await db.destroy()
  }
}

/**
 * Creates the application's login role on a server that is not ours, or gives it a new password. Returns the URL to
 * connect with.
 */
async function makeOutsideLogin(url: string): Promise<string> {
  const password = randomBytes(12).toString('hex')
  await administrate(url, async (db) => {
    const { rows } = await sql`select from pg_roles where rolname = ${outsideLogin}`.execute(db)
    if (rows.length === 0) await sql`create role ${sql.id(outsideLogin)} login`.execute(db)
    await sql`alter role ${sql.id(outsideLogin)} password ${sql.lit(password)}`.execute(db)
    await sql`grant ${sql.id(applicationRole)} to ${sql.id(outsideLogin)}`.execute(db)
  })
  const login = new URL(url)
  login.username = outsideLogin
  login.password = password
  return login.href
}

/**
 * One database server and one migrated template for the whole run: an embedded server in a temporary
 * folder, or the one of TEST_DATABASE_URL: a login that may create databases, and roles too unless
 * TEST_APPLICATION_DATABASE_URL gives a login with the application role's rights. Of the projects of a run, the first one
 * starts it for all; the unit tests ask for none.
 */
export default async function setUpDatabaseServer({ vitest }: TestProject): Promise<(() => Promise<void>) | undefined> {
  const run = vitest.getRootProject()
  if (run.getProvidedContext().databaseServer) return undefined
  // The tests start some hundred processes of ours, and install the clients.
  await Promise.all([buildPrograms(), packClients()])
  const outsideUrl = process.env['TEST_DATABASE_URL']
  const own = outsideUrl === undefined ? await startOwnServer() : undefined
  const administrationUrl = own?.urls.ownerUrl ?? outsideUrl ?? ''
  const template = `makola_template_${randomBytes(4).toString('hex')}`
  await administrate(administrationUrl, (db) => sql`create database ${sql.id(template)}`.execute(db))
  await administrate(withDatabaseName(administrationUrl, template), migrate)
  const applicationUrl =
    own?.urls.applicationUrl ?? process.env['TEST_APPLICATION_DATABASE_URL'] ?? (await makeOutsideLogin(administrationUrl))
  const copyStrategy = own && isInMemory() ? 'file_copy' : 'wal_log'
  run.provide('databaseServer', { administrationUrl, applicationUrl, template, copyStrategy })

  return async () => {
    if (own) {
      const stopped = once(own.server, 'exit')
      own.server.disconnect()
      await stopped
    } else {
      await administrate(administrationUrl, (db) => sql`drop database ${sql.id(template)} with (force)`.execute(db))
    }
  }
}

import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Migration, type MigrationResult, type MigrationResultSet, Migrator } from 'kysely/migration'
import { checkEra } from '../chains/follow-restored-server.ts'
import { createPartitions } from '../partitions/partitions.ts'
import type { Db } from './database.ts'
import { classifyDatabaseError } from './database-errors.ts'
import { inTransaction } from './in-transaction.ts'
import { doLongWork, type OnLongWorkProgress } from './long-work/do-long-work.ts'
import { readLongWork } from './long-work/read-long-work.ts'
import { lockNamed, runAlone } from './run-alone.ts'

const schemaFolder = new URL('../../../schema/', import.meta.url)
export const migrationsFolder = new URL('../../../migrations/', import.meta.url)

/** The whole schema of the first release, `server/schema/`. Migrations come after it. */
export const baselineName = '0001_baseline'

/** The role that processes work as: it may add to history but never change it. */
export const applicationRole = 'makola_app'

/**
 * The first line of a migration that must run outside a transaction, such as `create index concurrently`. Each of its
 * statements ends with a semicolon at the end of a line, is sent separately, and must be safe to repeat.
 */
export const isOutsideTransaction = (text: string): boolean => text.startsWith('-- outside a transaction\n')

/**
 * A migration that waits for a table's lock makes all later statements on the table wait, so it gives up soon, and is begun
 * again. A statement with `concurrently` makes nobody wait, and may wait for long readers.
 */
async function limitLockWait(db: Db, statement: string, isOutsideTransaction: boolean): Promise<void> {
  const milliseconds = /\bconcurrently\b/i.test(statement) ? 0 : lockMilliseconds
  await sql`select set_config('lock_timeout', ${String(milliseconds)}, ${!isOutsideTransaction})`.execute(db)
}

const lockMilliseconds = 1_000
/** A migration is begun again for this long while others, such as a backup, hold its locks. */
const locksHeldSeconds = 120
const lockPauseMilliseconds = 500

type ReadMigration = Migration & { readonly isOutsideTransaction: boolean }

async function readBaseline(): Promise<string[]> {
  const order = await readFile(new URL('order.txt', schemaFolder), 'utf8')
  const files = order.split('\n').filter((line) => line.endsWith('.sql'))
  return Promise.all(files.map((file) => readFile(new URL(file, schemaFolder), 'utf8')))
}

export async function listMigrationNames(folder: URL): Promise<string[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql'))
  return files.map((file) => file.replace(/\.sql$/, '')).toSorted()
}

/** A migration of the folder. Long work runs outside a transaction too. */
function migrationOf(name: string, text: string, onProgress: OnLongWorkProgress | undefined): ReadMigration {
  const longWork = readLongWork(text)
  if (longWork) return { isOutsideTransaction: true, up: (db: Db) => doLongWork(db, name, longWork, onProgress) }
  const isAlone = isOutsideTransaction(text)
  const statements = isAlone ? text.split(/;$/m).filter((statement) => statement.trim() !== '') : [text]
  return {
    isOutsideTransaction: isAlone,
    up: async (db) => {
      for (const statement of statements) {
        await limitLockWait(db, statement, isAlone)
        await sql.raw(statement).execute(db)
      }
      if (isAlone) await sql`reset lock_timeout`.execute(db)
    },
  }
}

async function readMigrations(folder: URL, onProgress?: OnLongWorkProgress): Promise<Record<string, ReadMigration>> {
  const baseline = await readBaseline()
  const migrations: Record<string, ReadMigration> = {
    [baselineName]: {
      isOutsideTransaction: false,
      up: async (db) => {
        for (const text of baseline) await sql.raw(text).execute(db)
      },
    },
  }
  for (const name of await listMigrationNames(folder)) {
    const text = await readFile(new URL(`${name}.sql`, folder), 'utf8')
    migrations[name] = migrationOf(name, text, onProgress)
  }
  return migrations
}

function migratorOf(db: Db, migrations: Record<string, ReadMigration>): Migrator {
  return new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve(migrations) },
    migrationTableName: 'schema_migrations',
    migrationLockTableName: 'schema_migrations_lock',
  })
}

const insufficientPrivilege = '42501'

function lacksPrivilege(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === insufficientPrivilege
}

/**
 * Tries to work as the role, because being its member is not enough: since PostgreSQL 16 the creator of a role may administer it
 * but not work as it.
 */
async function mayWorkAsApplication(db: Db): Promise<boolean> {
  try {
    await inTransaction(db, (tx) => sql`set local role makola_app`.execute(tx))
    return true
  } catch (error) {
    if (lacksPrivilege(error)) return false
    throw error
  }
}

export type MigrateOptions = {
  /** True: processes have a login of their own, so the owner need not be able to work as the application. */
  hasTwoLogins: boolean
  /** The folder of the migrations that follow the baseline; another one than that of the release, for tests. */
  folder?: URL
  /** Called after each step of a migration that takes long. */
  onProgress?: OnLongWorkProgress
}

/** The application role is made first, because every migration grants to it. Roles belong to a whole server. */
async function createApplicationRole(db: Db, { hasTwoLogins }: MigrateOptions): Promise<void> {
  const { rows } = await sql<{ login: string; exists: boolean }>`
    select current_user as login, exists (select from pg_roles where rolname = 'makola_app') as exists`.execute(db)
  const [found] = rows
  if (!found) throw new Error('the database did not say who we are')
  try {
    if (!found.exists) {
      await sql`do $$ begin
        create role makola_app nologin;
      exception when duplicate_object or unique_violation then null;
      end $$`.execute(db)
    }
    if (!hasTwoLogins && !(await mayWorkAsApplication(db))) await sql`grant makola_app to ${sql.id(found.login)}`.execute(db)
    await sql`grant usage on schema public to makola_app`.execute(db)
  } catch (error) {
    if (!lacksPrivilege(error)) throw error
    const statements = [
      ...(found.exists ? [] : ['create role makola_app nologin']),
      ...(hasTwoLogins ? [] : [`grant makola_app to "${found.login}"`]),
      'grant usage on schema public to makola_app',
    ]
    throw new Error(
      `The login ${found.login} may not make the role that Makola works as. Run this once as an administrator of the ` +
        `database server: ${statements.join('; ')};`,
      { cause: error },
    )
  }
}

/**
 * Refuses another login than the owner's. The likeliest mistake is to migrate with the application's login, and the database's
 * error would not show that.
 */
async function refuseOtherThanOwner(db: Db): Promise<void> {
  const { rows } = await sql<{ login: string; owns: boolean }>`
    select current_user as login, coalesce(
      (select pg_has_role(relowner, 'member') from pg_class where oid = to_regclass('schema_migrations')),
      has_schema_privilege('public', 'create')) as owns`.execute(db)
  const [found] = rows
  if (found?.owns !== false) return
  throw new Error(
    `The login ${found.login} does not own the tables and may not make any. Migrate with the owner's login: set MIGRATE_DATABASE_URL.`,
  )
}

/** Refuses a schema from before the first release. Other migrations made it, which are gone. */
async function refuseDevelopmentSchema(db: Db): Promise<void> {
  const table = await sql<{ found: string | null }>`select to_regclass('schema_migrations')::text as found`.execute(db)
  if (table.rows[0]?.found == null) return
  const { rows } = await sql<{ name: string }>`select name from schema_migrations`.execute(db)
  if (rows.length === 0 || rows.some(({ name }) => name === baselineName)) return
  throw new Error('This database was made by a version from before the first release, and cannot be migrated. Make a new one.')
}

/** Begins a migration again while it fails because somebody holds what it must lock. */
async function retryWhileLocked(run: () => Promise<MigrationResultSet>): Promise<MigrationResultSet> {
  const startedAt = performance.now()
  for (;;) {
    const ran = await run()
    if (classifyDatabaseError(ran.error) !== 'lock_not_available') return ran
    if (performance.now() - startedAt > locksHeldSeconds * 1_000) {
      const message = `somebody, such as a backup, holds a table that it changes for more than ${locksHeldSeconds} s. Run it again afterwards`
      return { ...ran, error: new Error(message, { cause: ran.error }) }
    }
    await wait(lockPauseMilliseconds)
  }
}

/**
 * Runs the missing migrations in order: neighbouring ones together in one transaction, those outside a transaction one by
 * one. Stops at the first failure.
 */
async function runMissing(db: Db, { folder = migrationsFolder, onProgress }: MigrateOptions): Promise<MigrationResultSet> {
  const migrations = await readMigrations(folder, onProgress)
  const migrator = migratorOf(db, migrations)
  const missing = (await migrator.getMigrations()).filter(({ executedAt }) => executedAt === undefined)
  const results: MigrationResult[] = []
  for (const [index, { name }] of missing.entries()) {
    const isAlone = migrations[name]?.isOutsideTransaction === true
    const next = missing[index + 1]
    const isLastOfGroup = isAlone || next === undefined || migrations[next.name]?.isOutsideTransaction === true
    if (!isLastOfGroup) continue
    const ran = await retryWhileLocked(() => migrator.migrateTo(name, { disableTransactions: isAlone }))
    results.push(...(ran.results ?? []))
    if (ran.error) return { error: ran.error, results }
  }
  return { results }
}

const otherMigrationMilliseconds = 500

/**
 * Does the work once no other process migrates. It asks again and again: a statement that waits for the lock would hold up an index
 * that the other one makes `concurrently`.
 */
async function whenNobodyMigrates<T>(db: Db, work: (connection: Db) => Promise<T>): Promise<T> {
  for (;;) {
    const done: T[] = []
    await runAlone(db, lockNamed('makola migrate'), async (connection) => void done.push(await work(connection)))
    const [result] = done
    if (result !== undefined) return result
    await wait(otherMigrationMilliseconds)
  }
}

/**
 * Brings the schema up to date: the baseline, then the files in `migrations/` in order. Takes a connection as the tables'
 * owner. A second call at the same time, from any process, waits for the first.
 *
 * @returns the names of the migrations that were run now
 * @throws when the login may not migrate, or when a migration fails; nothing of that one stays, unless it runs outside a
 * transaction: then the next call begins it again
 */
export async function migrate(db: Db, options: MigrateOptions = { hasTwoLogins: false }): Promise<string[]> {
  await refuseOtherThanOwner(db)
  await refuseDevelopmentSchema(db)
  await createApplicationRole(db, options)
  const { error, results } = await whenNobodyMigrates(db, (connection) => runMissing(connection, options))
  if (error) {
    const failed = results?.find((result) => result.status === 'Error')?.migrationName
    const reason = error instanceof Error ? error.message : 'for an unknown reason'
    throw new Error(failed ? `The migration ${failed} failed: ${reason}` : `The database cannot be migrated: ${reason}`, {
      cause: error,
    })
  }
  await createPartitions(db)
  await sql`grant select on schema_migrations to makola_app`.execute(db)
  return (results ?? []).filter((result) => result.status === 'Success').map((result) => result.migrationName)
}

/**
 * Refuses to start on a schema that lacks a migration of this code, or on a database that was restored into another server
 * and not migrated there. A newer schema is accepted: a deployment expands the schema first and contracts it after every
 * process has moved on.
 */
export async function checkSchema(db: Db): Promise<void> {
  const wanted = [baselineName, ...(await listMigrationNames(migrationsFolder))]
  const table = await sql<{ found: string | null }>`select to_regclass('schema_migrations')::text as found`.execute(db)
  if (table.rows[0]?.found == null) throw new Error('The database has no Makola schema yet. Run `makola migrate` first.')
  const { rows } = await sql<{ name: string }>`select name from schema_migrations`.execute(db)
  const present = new Set(rows.map((row) => row.name))
  const missing = wanted.filter((name) => !present.has(name))
  if (missing.length > 0) throw new Error(`The database lacks ${missing.join(', ')}. Run \`makola migrate\` first.`)
  await checkEra(db)
}

/**
 * True when `checkSchema` accepts the schema. It takes a tenth of the time of a migration that has nothing to do.
 * @throws when the database cannot be reached
 */
export async function isSchemaReady(db: Db): Promise<boolean> {
  try {
    await checkSchema(db)
    return true
  } catch (error) {
    if (classifyDatabaseError(error) === 'connection_lost') throw error
    return false
  }
}

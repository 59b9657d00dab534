import { sql } from 'kysely'
import type { Config } from '../../../config.ts'
import { readServerFacts } from '../../../platform/database/check-server.ts'
import type { Db } from '../../../platform/database/database.ts'
import { baselineName } from '../../../platform/database/migrate.ts'
import { connectAsApplication, openDatabase } from '../../frame/open-database.ts'
import { refuseWithoutDatabase } from '../../frame/with-database.ts'
import { measureTable, microsecondsPerRow, slowCosts } from './measure-table.ts'
import type { MigrationNeeds, TableWork } from './migration-needs.ts'
import type { ReleaseNeeds } from './release-needs.ts'

/** The size of one entry in an index on two columns, with its share of the pages' overhead. */
const indexBytesPerRow = 60

/**
 * The work of a migration on one table of this database. The numbers are estimates, made from PostgreSQL's own estimate of
 * the rows.
 */
export type TableForecast = TableWork & {
  readonly rows: number
  /** For a person who plans the time of the upgrade. No program relies on it. */
  readonly seconds: number
  /** True when `seconds` was measured with a sample of the table on this server, false when it assumes a slow disk. */
  readonly isMeasured: boolean
  readonly diskBytes: number
}

export type MigrationForecast = Pick<MigrationNeeds, 'name' | 'way' | 'contracts'> & { readonly tables: readonly TableForecast[] }

export type UpgradeForecast = {
  readonly version: string
  /** False when the version cannot run here as it is. `problems` says why. */
  readonly ok: boolean
  readonly problems: readonly string[]
  readonly node: string
  readonly postgres: { readonly needed: number; readonly found: string }
  /** The migrations that this database lacks, in the order in which `makola migrate` runs them. */
  readonly migrations: readonly MigrationForecast[]
  /** Migrations of a newer version that the database has already. */
  readonly newer: readonly string[]
  /** Settings to which the operator has given a value, and which the version does not read. */
  readonly settingsThatGo: readonly string[]
  /** True when programs of the present version run on the schema of the new one. */
  readonly canGoBack: boolean
}

type Size = { readonly rows: number; readonly bytes: number; readonly indexes: number }

/**
 * Reads the rows and bytes of a table with all its partitions, and the number of its indexes. A missing table has 0 of each.
 */
async function readSize(db: Db, table: string): Promise<Size> {
  const { rows } = await sql<Size>`
    select coalesce(sum(greatest(reltuples, 0)) filter (where relkind <> 'p'), 0)::float8 as rows,
      coalesce(sum(pg_table_size(oid)), 0)::float8 as bytes,
      (select count(*)::int from pg_index where indrelid = to_regclass(${table})) as indexes
    from pg_class where oid = to_regclass(${table}) or oid in (select relid from pg_partition_tree(to_regclass(${table})))`.execute(
    db,
  )
  return rows[0] ?? { rows: 0, bytes: 0, indexes: 0 }
}

async function forecastTable(db: Db, work: TableWork): Promise<TableForecast> {
  const { rows, bytes, indexes } = await readSize(db, work.table)
  const written = { steps: bytes, rows: bytes, index: rows * indexBytesPerRow, check: 0, catalogue: 0 }[work.does]
  const costs = rows === 0 || work.does === 'catalogue' ? undefined : await measureTable(db, work.table)
  const seconds = Math.round((rows * microsecondsPerRow(work.does, costs ?? slowCosts, indexes)) / 1_000_000)
  return { ...work, rows: Math.round(rows), seconds, isMeasured: costs !== undefined, diskBytes: Math.round(written) }
}

/** The names of the migrations that the database has. Undefined: it has no schema yet. */
async function readPresent(db: Db): Promise<readonly string[] | undefined> {
  const { rows } = await sql<{ found: string | null }>`select to_regclass('schema_migrations')::text as found`.execute(db)
  if (rows[0]?.found == null) return undefined
  const present = await sql<{ name: string }>`select name from schema_migrations order by name`.execute(db)
  return present.rows.map(({ name }) => name)
}

/** Lists the settings with a value in the database that are not in `known`. */
export async function listUnreadSettings(db: Db, known: readonly string[]): Promise<string[]> {
  const rows = await db.selectFrom('settings').select('name').orderBy('name').execute()
  const names = new Set(known)
  return rows.map(({ name }) => name).filter((name) => !names.has(name))
}

/** The migrations of `needs` that the database lacks, each with what it will do there. */
export async function forecastMigrations(db: Db, needs: readonly MigrationNeeds[]): Promise<MigrationForecast[]> {
  const present = new Set(await readPresent(db))
  const missing = needs.filter(({ name }) => !present.has(name))
  return Promise.all(
    missing.map(async ({ name, way, contracts, tables }) => ({
      name,
      way,
      contracts,
      tables: await Promise.all(tables.map((work) => forecastTable(db, work))),
    })),
  )
}

/** Compares what a version needs with what is here, and changes nothing. */
export async function forecastUpgrade(db: Db, url: string, needs: ReleaseNeeds): Promise<UpgradeForecast> {
  const { version, majorVersion, notDurable } = await readServerFacts(url)
  const present = await readPresent(db)
  const wanted = new Set(needs.migrations.map(({ name }) => name))
  const problems = [
    majorVersion < needs.postgres && `PostgreSQL ${needs.postgres} or newer is needed, and the database is ${version}.`,
    notDurable.length > 0 && `The database could lose acknowledged orders in a crash: ${notDurable.join(', ')}.`,
    present && present.length > 0 && !present.includes(baselineName) && 'The database is from before the first release.',
  ].filter((problem) => typeof problem === 'string')
  const migrations = await forecastMigrations(db, needs.migrations)
  return {
    version: needs.version,
    ok: problems.length === 0,
    problems,
    node: needs.node,
    postgres: { needed: needs.postgres, found: version },
    migrations,
    newer: (present ?? []).filter((name) => !wanted.has(name)),
    settingsThatGo: present?.includes(baselineName) ? await listUnreadSettings(db, needs.settings) : [],
    canGoBack: migrations.every(({ contracts }) => !contracts),
  }
}

const silentLog = { info: () => undefined, warn: () => undefined }

/**
 * Forecasts an upgrade of this installation, whose schema may be that of any version.
 * @throws CommandError when there is no database yet
 */
export async function checkUpgrade(config: Config, needs: ReleaseNeeds): Promise<UpgradeForecast> {
  await refuseWithoutDatabase(config)
  const database = await openDatabase(config, silentLog)
  const db = connectAsApplication(database.applicationUrl, { poolSize: 4, applicationName: 'makola upgrade' })
  try {
    return await forecastUpgrade(db, database.applicationUrl, needs)
  } finally {
    await db.destroy()
    await database.stop()
  }
}

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { connectDatabase, type Db } from '../src/platform/database/database.ts'
import { startEmbeddedPostgres } from '../src/platform/database/embedded-postgres.ts'
import { migrate } from '../src/platform/database/migrate.ts'
import { root } from './reading/read-sources.ts'
import { describeTable } from './schema/describe-table.ts'
import { readTables, type Table } from './schema/read-tables.ts'
import { readWriters } from './schema/read-writers.ts'
import { ownersOfTables } from './schema/table-owners.ts'

const path = 'docs/schema.md'
const silentLog = { info: () => undefined, warn: () => undefined }

/** Calls `use` with a database that was just migrated, on a server of its own. */
async function withMigratedDatabase<T>(use: (db: Db) => Promise<T>): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), 'makola-schema-'))
  const server = await startEmbeddedPostgres({ dataDir, log: silentLog })
  const db = connectDatabase({ url: server.ownerUrl, poolSize: 1, applicationName: 'makola schema' })
  try {
    await migrate(db)
    return await use(db)
  } finally {
    await db.destroy()
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

const introduction = `# The schema

Written by \`npm run write:schema\` from a migrated database; do not edit it. The tables and functions are made by the files of [server/schema](../server/schema), in the order of [order.txt](../server/schema/order.txt), and changed by those of [server/migrations](../server/migrations).

Amounts are whole pesewas, or whole SMS credits. The application's login adds and changes what its grants allow, no more.`

function describeRoom(room: string, tables: readonly Table[], writers: ReadonlyMap<string, readonly string[]>): string {
  return [`## ${room}`, ...tables.map((table) => describeTable(table, writers.get(table.name) ?? []))].join('\n\n')
}

function describeSchema(tables: readonly Table[]): string {
  const owners = ownersOfTables()
  const writers = readWriters(tables.map(({ name }) => name))
  const rooms = Map.groupBy(tables, ({ name }) => owners.get(name) ?? 'platform')
  const sections = [...rooms].map(([room, members]) => describeRoom(room, members, writers))
  return `${[introduction, ...sections].join('\n\n')}\n`
}

/** Writes the document of the schema, or with `--check` says whether it is still what the database says. */
async function writeSchema(isCheck: boolean): Promise<void> {
  const text = describeSchema(await withMigratedDatabase(readTables))
  const file = join(root, path)
  if (!isCheck) {
    await writeFile(file, text)
    console.log(`${path} is written.`)
  } else if ((await readFile(file, 'utf8').catch(() => '')) === text) {
    console.log(`${path} is up to date.`)
  } else {
    console.error(`${path} is stale: run \`npm run write:schema\` and commit it.`)
    process.exitCode = 1
  }
}

await writeSchema(process.argv.includes('--check'))

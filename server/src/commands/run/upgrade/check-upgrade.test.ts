import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase, withEmptyDatabase } from '../../../../test/test-database.ts'
import { findSetting } from '../../../all-settings.ts'
import { readConfig } from '../../../config.ts'
import { inTransaction } from '../../../platform/database/in-transaction.ts'
import { describeForecast } from './describe-forecast.ts'
import { checkUpgrade } from './forecast-upgrade.ts'
import { microsecondsPerRow } from './measure-table.ts'
import { needsOf, tableLocks, tableWorkKinds } from './migration-needs.ts'
import { type ReleaseNeeds, readNeedsFile, readOwnNeeds } from './release-needs.ts'

let folder: string
let database: TestDatabase
let own: ReleaseNeeds
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'makola-upgrade-'))
  database = await createTestDatabase()
  own = await readOwnNeeds()
})
afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

const checkAt = (url: string, needs: ReleaseNeeds) => checkUpgrade(readConfig({ DATABASE_URL: url, DATA_DIR: folder }), needs)
const check = (needs: ReleaseNeeds) => checkAt(database.applicationUrl, needs)
const withMigrations = (...migrations: ReleaseNeeds['migrations']) => ({ ...own, migrations: [...own.migrations, ...migrations] })
const needs = (name: string, text: string) => {
  const found = needsOf(name, text)
  return { ...found, tables: [...found.tables] }
}

/** The locks of a statement, and whether it rewrote its table. Thrown, so that the transaction is rolled back. */
class RolledBack extends Error {
  readonly modes: readonly string[]
  readonly isRewritten: boolean
  constructor(modes: readonly string[], isRewritten: boolean) {
    super('rolled back')
    this.modes = modes
    this.isRewritten = isRewritten
  }
}

/** How strong each lock is, as an index of `none`, `rows`, `writes`, `all`: https://www.postgresql.org/docs/current/explicit-locking.html */
const strengthOf: Readonly<Record<string, number>> = {
  RowExclusiveLock: 1,
  ShareLock: 2,
  ShareRowExclusiveLock: 2,
  ExclusiveLock: 2,
  AccessExclusiveLock: 3,
}

describe('the needs of this version', () => {
  it('are those of its own sources', async () => {
    const root = new URL('../../../../../', import.meta.url)
    const manifest = JSON.parse(await readFile(new URL('package.json', root), 'utf8')) as {
      version: string
      optionalDependencies: Record<string, string>
    }
    const files = (await readdir(new URL('server/migrations/', root))).filter((name) => name.endsWith('.sql'))
    const nodes = Object.entries(manifest.optionalDependencies).filter(([name]) => name.startsWith('node-'))
    expect(own).toMatchObject({ version: manifest.version, node: expect.stringMatching(/^\d+\.\d+\.\d+$/) })
    expect(nodes.map(([, version]) => version)).toEqual(nodes.map(() => own.node))
    expect(own.migrations.map(({ name }) => name)).toEqual([
      '0001_baseline',
      ...files.map((name) => name.slice(0, -4)).toSorted(),
    ])
    expect(own.settings.every((name) => findSetting(name) !== undefined)).toBe(true)
    // Makola can be tested on the oldest version of PostgreSQL that it accepts, so the needs must name that version.
    expect(await readFile(new URL('server/test/running/postgres15.ts', root), 'utf8')).toContain(`/postgresql/${own.postgres}/`)
  })

  it('come back from the file of a release as they are, and no other file is taken for one', async () => {
    const path = join(folder, 'needs.json')
    await writeFile(path, JSON.stringify(own, null, 2))
    expect(await readNeedsFile(path)).toEqual(own)
    await writeFile(path, '{"version":"1.0.0"}')
    await expect(readNeedsFile(path)).rejects.toThrow('is not the file makola-VERSION-needs.json')
    await writeFile(path, 'not json')
    await expect(readNeedsFile(path)).rejects.toThrow('is not the file makola-VERSION-needs.json')
    await expect(readNeedsFile(join(folder, 'none.json'))).rejects.toThrow('cannot be read')
  })
})

describe('the needs of a migration', () => {
  it.each([
    ['create index a on accounts (name);', [{ table: 'accounts', holds: 'writes', does: 'index' }]],
    ['create unique index concurrently if not exists a on orders (id);', [{ table: 'orders', holds: 'none', does: 'index' }]],
    ['alter table accounts add column note text;', [{ table: 'accounts', holds: 'all', does: 'catalogue' }]],
    ['alter table accounts alter column name type citext;', [{ table: 'accounts', holds: 'all', does: 'rows' }]],
    ["alter table accounts add constraint a check (name <> '');", [{ table: 'accounts', holds: 'all', does: 'check' }]],
    ['alter table accounts add constraint a check (true) not valid;', [{ table: 'accounts', holds: 'all', does: 'catalogue' }]],
    ['alter table accounts validate constraint a;', [{ table: 'accounts', holds: 'none', does: 'check' }]],
    [
      'update accounts set name = name;\ndrop table old_things;',
      [
        { table: 'accounts', holds: 'rows', does: 'rows' },
        { table: 'old_things', holds: 'all', does: 'catalogue' },
      ],
    ],
    ["create table shops (id uuid);\ncreate index s on shops (id);\ncomment on table shops is 'drop table accounts;';", []],
    ["create or replace function f() returns void language sql as $$ update accounts set name = ''; $$;", []],
  ])('are read from its statements: %s', (text, tables) => {
    expect(needsOf('0002_x', text)).toEqual({ name: '0002_x', way: 'together', contracts: false, tables })
  })

  // The owner runs each statement as a migration does, and looks at its own locks and at the file of the table.
  it.each([
    'create index a on accounts (name);',
    'alter table accounts add column note text;',
    'alter table accounts add column made timestamptz not null default now();',
    'alter table accounts add column token uuid default gen_random_uuid();',
    'alter table accounts add column short text generated always as (left(name, 3)) stored;',
    'alter table accounts alter column name type varchar;',
    'alter table accounts alter column name type char(90);',
    "alter table accounts add constraint a check (name <> '');",
    'alter table accounts add constraint a check (true) not valid;',
    'alter table accounts add constraint a foreign key (id) references accounts;',
    'create trigger a before update on accounts for each row execute function suppress_redundant_updates_trigger();',
    'update accounts set name = name;',
    'delete from accounts;',
  ])('hold and rewrite no less than PostgreSQL does: %s', async (text) => {
    const [wanted] = needsOf('0002_x', text).tables
    const found = await inTransaction(database.ownerDb, async (tx) => {
      const readFile = () => sql<{ file: string }>`select pg_relation_filenode('accounts')::text as file`.execute(tx)
      const before = await readFile()
      await sql.raw(text).execute(tx)
      const after = await readFile()
      const { rows } = await sql<{ mode: string }>`
        select mode from pg_locks where pid = pg_backend_pid() and relation = 'accounts'::regclass`.execute(tx)
      throw new RolledBack(
        rows.map(({ mode }) => mode),
        before.rows[0]?.file !== after.rows[0]?.file,
      )
    }).catch((error: unknown) => {
      if (error instanceof RolledBack) return error
      throw error
    })
    const strength = tableLocks.toReversed().indexOf(wanted?.holds ?? 'none')
    expect(strength).toBeGreaterThanOrEqual(Math.max(...found.modes.map((mode) => strengthOf[mode] ?? 0)))
    expect(wanted?.does === 'rows' || !found.isRewritten).toBe(true)
  })

  it('take the time of what they do with a row: read it, write it and its log, put it into each index, rest', () => {
    const costs = { read: 1, write: 10, index: 100 }
    const perRow = (does: Parameters<typeof microsecondsPerRow>[0]) => microsecondsPerRow(does, costs, 2)
    expect(tableWorkKinds.map(perRow)).toEqual([442, 221, 101, 1, 0])
  })

  it('say whether it is long work, and whether it removes what older programs use', () => {
    const batches =
      '-- long work: batches of 100 rows of orders by id\nupdate orders set price = 1 where id between :first and :last;'
    expect(needsOf('a', batches)).toMatchObject({ way: 'long work', tables: [{ table: 'orders', holds: 'rows', does: 'steps' }] })
    const index = '-- long work: an index on each partition\ncreate index a on orders (price);'
    expect(needsOf('a', index)).toMatchObject({ way: 'long work', tables: [{ table: 'orders', holds: 'none', does: 'index' }] })
    expect(needsOf('a', '-- outside a transaction\nselect 1;')).toMatchObject({ way: 'alone', contracts: false })
    expect(needsOf('a', '-- contracts: accounts.note\nalter table accounts drop column note;')).toMatchObject({ contracts: true })
  })
})

describe('makola upgrade --check', () => {
  it('has nothing to do for the version that runs, and can go back', async () => {
    const forecast = await check(own)
    expect(forecast).toMatchObject({ ok: true, problems: [], migrations: [], newer: [], settingsThatGo: [], canGoBack: true })
    expect(describeForecast(forecast)).toContain('The schema has all that it needs')
  })

  it('says of each missing migration what it does to the tables of this database, by their size', async () => {
    await sql`create table many as select n from generate_series(1, 50000) as n`.execute(database.ownerDb)
    await sql`analyze many`.execute(database.ownerDb)
    const index = needs('0900_index', 'create index many_by_n on many (n);')
    const steps = needs(
      '0901_steps',
      '-- long work: batches of 100 rows of many by n\nupdate many set n = n where n between :first and :last;',
    )
    const forecast = await check(withMigrations(index, steps))
    expect(forecast.migrations).toMatchObject([
      {
        name: '0900_index',
        way: 'together',
        tables: [{ table: 'many', rows: 50_000, holds: 'writes', isMeasured: false, seconds: 1, diskBytes: 3_000_000 }],
      },
      { name: '0901_steps', way: 'long work', tables: [{ table: 'many', rows: 50_000, holds: 'rows', seconds: 1 }] },
    ])
    expect(describeForecast(forecast)).toContain(
      'many, about 50,000 rows: changes its rows in small steps; about a second; whoever writes the same rows waits',
    )
    // The application's login may read it now, so a sample of its rows is timed.
    await sql`grant select on many to makola_app`.execute(database.ownerDb)
    const measured = await check(withMigrations(index))
    expect(measured.migrations[0]?.tables).toMatchObject([{ isMeasured: true }])
    expect(describeForecast(measured)).toMatch(/many, about 50,000 rows: makes an index; about [^;]+, by a sample of its rows; /)
    const left = await sql<{ left: string | null }>`select to_regclass('upgrade_sample')::text as left`.execute(database.db)
    expect(left.rows).toEqual([{ left: null }])
    // A partitioned table has the rows of its partitions.
    const orders = await check(withMigrations(needs('0900_orders', 'alter table orders add column note text;')))
    expect(orders.migrations[0]?.tables).toMatchObject([{ table: 'orders', rows: 0, seconds: 0 }])
  })

  it('says that there is no way back after a migration that removes something', async () => {
    const forecast = await check(
      withMigrations(needs('0900_drop', '-- contracts: accounts.note\nalter table accounts drop column note;')),
    )
    expect(forecast.canGoBack).toBe(false)
    expect(describeForecast(forecast)).toContain('The way back: restore a backup')
  })

  it('names the settings with a value that the version does not read', async () => {
    await sql`insert into settings (name, value, updated_by) values ('data_enabled', 'true', 'test'), ('old_switch', '1', 'test')`.execute(
      database.ownerDb,
    )
    expect((await check(own)).settingsThatGo).toEqual(['old_switch'])
    const without = { ...own, settings: own.settings.filter((name) => name !== 'data_enabled') }
    expect((await check(without)).settingsThatGo).toEqual(['data_enabled', 'old_switch'])
  })

  it('cannot run on an older PostgreSQL than it needs, and knows migrations of a newer version', async () => {
    const forecast = await check({ ...own, postgres: 99 })
    expect(forecast).toMatchObject({ ok: false, problems: [expect.stringMatching(/^PostgreSQL 99 or newer is needed/)] })
    expect(describeForecast(forecast)).toContain('It cannot run here as it is.')
    const older = { ...own, migrations: [] }
    expect((await check(older)).newer).toEqual(own.migrations.map(({ name }) => name))
  })

  it('would make the whole schema of an empty database', async () => {
    await withEmptyDatabase(async (url) => {
      const role = new URL(url)
      const forecast = await checkAt(role.href, own)
      expect(forecast.migrations.map(({ name }) => name)).toEqual(own.migrations.map(({ name }) => name))
      expect(forecast).toMatchObject({ ok: true, settingsThatGo: [], canGoBack: true })
    })
  })
})

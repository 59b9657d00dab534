import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../test/test-database.ts'
import { describeLongWork } from './commands/run/migrate-command.ts'
import { makeAccount } from './orders/dispatch/order-bench.fixture.ts'
import { placeTestOrders } from './orders/intake/place-test-orders.fixture.ts'
import type { LongWorkProgress } from './platform/database/long-work/do-long-work.ts'
import { readLongWork } from './platform/database/long-work/read-long-work.ts'
import { migrate } from './platform/database/migrate.ts'

const oldOrders = 20_000

let database: TestDatabase
let accountId: string
let folder: string
const folderUrl = () => pathToFileURL(`${folder}/`)
const migrateOn = (onProgress?: (progress: LongWorkProgress) => void) =>
  migrate(database.ownerDb, { hasTwoLogins: false, folder: folderUrl(), ...(onProgress && { onProgress }) })

/** Starts the migration in a process of its own, and waits for its first steps. */
async function startMigration(steps: number): Promise<ChildProcess> {
  const script = fileURLToPath(new URL('long-work.fixture.ts', import.meta.url))
  const child = spawn(process.execPath, [script, database.ownerUrl, folderUrl().href], { stdio: ['ignore', 'pipe', 'inherit'] })
  let lines = 0
  await new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      lines += chunk.toString().split('\n').length - 1
      if (lines >= steps) resolve()
    })
    child.on('exit', () => resolve())
  })
  return child
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

/** Buys, one order after another, until it is stopped; a refused purchase fails the test. @returns the number of orders */
function keepBuying(): { stop(): Promise<number> } {
  const stopping = new AbortController()
  const buying = (async () => {
    let count = 0
    while (!stopping.signal.aborted) {
      // Each order costs one pesewa, so that the wallet lasts however long the migration takes.
      await placeTestOrders(database.db, accountId, [`02400${String(count).padStart(5, '0')}`], { pricePesewas: 1 })
      count += 1
    }
    return count
  })()
  return {
    stop: () => {
      stopping.abort()
      return buying
    },
  }
}

describe('a migration that is long work', () => {
  beforeEach(async () => {
    database = await createTestDatabase()
    accountId = await makeAccount(database.db)
    await sql`select create_partitions(now() - interval '2 months')`.execute(database.db)
    await sql`
      insert into orders (id, account_id, kind, reference, status, price, recipient, details)
      select (left(first_id_at(now() - make_interval(mins => n * 4))::text, 14) || '7000-8000-' || lpad(n::text, 12, '0'))::uuid,
        ${accountId}, 'data', 'old-' || n, 'completed', 100, '0240000000', '{}'
      from generate_series(1, ${oldOrders}::int) as n`.execute(database.ownerDb)
    await sql`analyze orders`.execute(database.ownerDb)
    folder = await mkdtemp(join(tmpdir(), 'makola-long-work-'))
  })
  afterEach(async () => {
    await rm(folder, { recursive: true, force: true })
    await database.drop()
  })

  it('changes every row once in batches while the platform sells, also when it is killed in the middle', async () => {
    await writeFile(
      join(folder, '0002_notes.sql'),
      `-- long work: batches of 500 rows of orders by id
update orders set details = details || jsonb_build_object('times', coalesce((details ->> 'times')::int, 0) + 1)
where id between :first and :last;`,
    )
    const shop = keepBuying()
    const child = await startMigration(4)
    await kill(child)
    const { rows: broken } = await sql<{ rows_done: number; ended_at: Date | null }>`
      select rows_done, ended_at from long_work`.execute(database.ownerDb)
    expect(broken).toMatchObject([{ ended_at: null }])
    expect(broken[0]?.rows_done).toBeGreaterThanOrEqual(2_000)
    expect(broken[0]?.rows_done).toBeLessThan(oldOrders)

    const shown: LongWorkProgress[] = []
    expect(await migrateOn((progress) => shown.push(progress))).toEqual(['0002_notes'])
    expect(await shop.stop()).toBeGreaterThan(10)
    expect(shown[0]?.done).toBeGreaterThan(broken[0]?.rows_done ?? 0)
    expect(shown[1]?.secondsLeft).toBeGreaterThan(0)
    const { rows } = await sql<{ times: string | null; count: number }>`
      select details ->> 'times' as times, count(*) as count from orders where reference like 'old-%' group by 1`.execute(
      database.ownerDb,
    )
    expect(rows).toEqual([{ times: '1', count: oldOrders }])
    expect(await migrateOn()).toEqual([])
  })

  it('makes an index on each partition while the platform sells, also when it is killed in the middle', async () => {
    await writeFile(
      join(folder, '0002_prices.sql'),
      `-- long work: an index on each partition
create index orders_by_price on orders (price, id) where price > 0;
comment on index orders_by_price is 'Serves the test.';`,
    )
    const shop = keepBuying()
    const child = await startMigration(2)
    await kill(child)
    const steps: number[] = []
    await migrateOn(({ done }) => steps.push(done))
    expect(await shop.stop()).toBeGreaterThan(0)
    // The indexes that the killed run made are not made again.
    const { rows } = await sql<{ valid: boolean; children: number; partitions: number }>`
      select indisvalid as valid, (select count(*)::int from pg_inherits where inhparent = indexrelid) as children,
        (select count(*)::int from pg_inherits where inhparent = 'orders'::regclass) as partitions
      from pg_index where indexrelid = 'orders_by_price'::regclass`.execute(database.ownerDb)
    expect(rows[0]?.valid).toBe(true)
    expect(rows[0]?.children).toBe(rows[0]?.partitions)
    expect(steps.at(-1)).toBeLessThan(rows[0]?.partitions ?? 0)
    expect(await migrateOn()).toEqual([])
  })

  it.each([
    [
      'rows in batches',
      `-- long work: batches of 2000 rows of orders by id
update orders set details = details || jsonb_build_object('times', coalesce((details ->> 'times')::int, 0) + 1)
where id between :first and :last;`,
    ],
    ['an index', '-- long work: an index on each partition\ncreate index orders_by_price on orders (price);\n'],
    [
      'an index outside a transaction',
      '-- outside a transaction\ncreate index concurrently accounts_by_name on accounts (name);\n',
    ],
  ])('is done once by two that start at the same moment: %s', async (_form, text) => {
    await writeFile(join(folder, '0002_once.sql'), text)
    const both = await Promise.all([migrateOn(), migrateOn()])
    expect(both.toSorted((one, other) => other.length - one.length)).toEqual([['0002_once'], []])
    const { rows } = await sql`select from orders where (details ->> 'times')::int > 1`.execute(database.ownerDb)
    expect(rows).toEqual([])
  })

  it('begins an index of a partition anew that was broken off and is not valid', async () => {
    const { rows } = await sql<{ suffix: string }>`select to_char(now() at time zone 'UTC', '_YYYY_MM') as suffix`.execute(
      database.db,
    )
    const suffix = rows[0]?.suffix
    // A unique index over equal rows fails, and leaves an index that is not valid.
    const broken = sql`create unique index concurrently ${sql.ref(`orders_by_price${suffix}`)} on ${sql.table(`orders${suffix}`)} (price)`
    await expect(broken.execute(database.ownerDb)).rejects.toThrow('could not create unique index')
    await writeFile(
      join(folder, '0002_prices.sql'),
      '-- long work: an index on each partition\ncreate index orders_by_price on orders (price);\n',
    )
    expect(await migrateOn()).toEqual(['0002_prices'])
    const { rows: made } = await sql<{ definition: string; valid: boolean }>`
      select pg_get_indexdef(indexrelid) as definition, indisvalid as valid from pg_index
      where indexrelid = ${`orders_by_price${suffix}`}::regclass`.execute(database.ownerDb)
    expect(made).toEqual([{ definition: expect.stringMatching(/^CREATE INDEX/) as string, valid: true }])
  })
})

it.each([
  ['-- long work: batches of 10 rows of orders by id\nupdate orders set price = 1;', ':first and :last'],
  ['-- long work: an index on each partition\nselect 1;', 'create index name on table'],
  ['-- long work: something else\nselect 1;', 'none of the two'],
])('long work of another form is refused before anything runs: %s', (text, reason) => {
  expect(() => readLongWork(text)).toThrow(reason)
})

it('the progress is told in rows done and in all, with the time that is left', () => {
  const progress = { migration: '0002_roles', unit: 'rows', done: 1_200_000, inAll: 3_000_000 } as const
  expect(describeLongWork({ ...progress, secondsLeft: 700 })).toBe(
    '0002_roles: 1,200,000 of about 3,000,000 rows, 40 %; about 12 minutes left',
  )
  expect(describeLongWork({ ...progress, secondsLeft: undefined })).toBe('0002_roles: 1,200,000 of about 3,000,000 rows, 40 %')
})

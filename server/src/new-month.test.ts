import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { explainStatements } from '../test/running/explain-statements.ts'
import { createTestDatabase, type TestDatabase } from '../test/test-database.ts'
import { readEntries } from './money/statement/list-entries.ts'
import { makeAccount } from './orders/dispatch/order-bench.fixture.ts'
import { openFindOrder } from './orders/queries/find-order.ts'
import { listOrders } from './orders/queries/list-orders.ts'
import type { OrderQuery } from './orders/queries/order-filters.ts'
import { readHistoryOf } from './orders/queries/read-order-history.ts'
import type { Db } from './platform/database/database.ts'
import { maintainPartitions } from './platform/partitions/partitions.ts'
import { products } from './products/products.ts'

/**
 * The first minutes of a month: months that were analyzed, and a partition with as many rows of which PostgreSQL knows nothing
 * yet, because autovacuum comes a minute later.
 */
const monthsBefore = 6
const ordersPerMonth = 2_000

let database: TestDatabase
let accountId: string

/** Writes the orders of the month that begins `ahead` months after this one. Every 50th is an order of `accountId`. */
async function writeMonth(owner: Db, ahead: number): Promise<void> {
  const statements = [
    sql`insert into orders (id, account_id, kind, reference, status, price, recipient, details, created_at, updated_at)
      select (left(first_id_at(at)::text, 14) || '7000-8000-' || lpad(n::text, 12, '0'))::uuid,
        case when n % 50 = 0 then ${accountId}::uuid else gen_random_uuid() end, 'data',
        'month-' || ${ahead}::int || '-' || n, case when n % 100 = 0 then 'refunded' else 'completed' end, 500,
        '02' || lpad((n * 7919 % 100000)::text, 8, '0'), '{"network": "MTN"}', at, at
      from generate_series(1, ${ordersPerMonth}::int) as n,
        lateral (select (date_trunc('month', now() at time zone 'UTC') + make_interval(months => ${ahead}::int)) at time zone 'UTC'
          + make_interval(secs => n) as at) as time`,
    sql`insert into order_references select reference, account_id, id, kind, '' from orders where reference like ${`month-${ahead}-%`}`,
    sql`insert into order_events (order_id, from_status, to_status, actor, created_at)
      select id, 'processing', status, 'worker', created_at from orders where reference like ${`month-${ahead}-%`}`,
    sql`insert into transfers (cause_id, kind, account_id, from_purse, to_purse, amount, from_entry_no, from_balance_after, created_at)
      select id, 'purchase', account_id, 'main', 'sales', 500, (${ahead}::int + 20) * 10000 + row_number() over (order by id), 0, created_at
      from orders where reference like ${`month-${ahead}-%`}`,
  ]
  for (const statement of statements) await statement.execute(owner)
}

beforeAll(async () => {
  database = await createTestDatabase()
  await sql`select create_partitions(now() - ${`${monthsBefore} months`}::interval)`.execute(database.db)
  accountId = await makeAccount(database.db)
  for (let ago = monthsBefore; ago >= 0; ago -= 1) await writeMonth(database.ownerDb, -ago)
  await sql`analyze`.execute(database.ownerDb)
  await writeMonth(database.ownerDb, 1)
})
afterAll(() => database.drop())

/** The most rows that one scan may read: far fewer than a month has. */
const rowsMax = ordersPerMonth / 4

/** The scans that read too much: a table as a whole, or far more rows than are needed. */
async function wideScans(work: (db: Db) => Promise<unknown>) {
  const scans = await explainStatements(database.applicationUrl, work)
  expect(scans.length).toBeGreaterThan(0)
  return scans.filter(({ rows }) => rows > rowsMax)
}

it('an order of the new month is found, and its history read, by index', async () => {
  const { rows } = await sql<{ id: string; account: string }>`
    select id, account_id as account from orders where reference = 'month-1-50'`.execute(database.db)
  const id = rows[0]?.id ?? ''
  let found: unknown
  const find = async (db: Db) => (found = await openFindOrder(db)({ accountId, kind: 'data', reference: 'month-1-50' }))
  expect(await wideScans(find)).toEqual([])
  expect(found).toMatchObject({ id })
  expect(await wideScans((db) => readHistoryOf(db, id))).toEqual([])
})

it.each<[string, Omit<OrderQuery, 'limit'>]>([
  ['all', {}],
  ['an account', { accountId: 'its id' }],
  ['a recipient', { recipients: ['0200007919'] }],
  ['refunded', { status: 'refunded' }],
  ['completed', { status: 'completed' }],
  ['stuck', { isStuckOnly: true }],
])('the list of orders, %s, reads no month as a whole', async (_name, query) => {
  const wanted = { ...query, ...(query.accountId && { accountId }), limit: 20 }
  expect(await wideScans((db) => listOrders(db, products, wanted))).toEqual([])
})

it('the entries of a wallet are read by index', async () => {
  const entries = { accountId, purse: 'main', firstNo: 1, lastNo: 1_000_000, isNewestFirst: true, limit: 20 } as const
  expect(await wideScans((db) => readEntries(db, entries))).toEqual([])
})

it('the statistics of the whole tables are renewed, one table at a time, once they have grown by a tenth', async () => {
  const tables = ['order_events', 'orders', 'transfers']
  const readRows = async () => {
    const { rows } = await sql<{ rows: number }>`
      select reltuples::int as rows from pg_class where relname = any(${tables}) order by relname`.execute(database.db)
    return rows.map((row) => row.rows)
  }
  const before = ordersPerMonth * (monthsBefore + 1)
  // One transfer more: the credit of the account.
  const known = await readRows()
  expect(known).toEqual([before, before, before + 1])
  const { rows } = await sql<{ suffix: string }>`
    select to_char((now() at time zone 'UTC') + interval '1 month', '_YYYY_MM') as suffix`.execute(database.db)
  // As autovacuum does within a minute.
  for (const table of tables) await sql`analyze ${sql.table(`${table}${rows[0]?.suffix}`)}`.execute(database.ownerDb)
  for (const expected of [1, 2, 3, 3]) {
    await maintainPartitions(database.db)
    expect((await readRows()).filter((count, index) => count === (known[index] ?? 0) + ordersPerMonth)).toHaveLength(expected)
  }
})

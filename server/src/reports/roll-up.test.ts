import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { makeAccount } from '../../test/make-account.ts'
import { readTodayThatLasts } from '../../test/running/today-that-lasts.ts'
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts'
import { runAudit } from '../money/audit.ts'
import { until } from '../orders/dispatch/order-bench.fixture.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import type { BackgroundShare } from '../platform/housekeeping/background-share.ts'
import { repeatableNumbers } from '../platform/repeatable-numbers.ts'
import { products } from '../products/products.ts'
import { addDays, dayInAccra } from './period.ts'
import { randomSale, writeSales } from './random-sales.fixture.ts'
import { readSales } from './read-sales.ts'
import { reportAuditChecks } from './reports.audit.ts'
import { rollUp } from './roll-up.ts'

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)
const today = await readTodayThatLasts()

let database: TestDatabase
let accountIds: string[]
const random = repeatableNumbers(7)

beforeEach(async () => {
  database = await createTestDatabase()
  accountIds = [(await makeAccount(database.db, {})).accountId, (await makeAccount(database.db, {})).accountId]
})
afterEach(() => database.drop())

const someSales = (count: number, from = minutesAgo(8), to = new Date()) =>
  Array.from({ length: count }, () => randomSale(random, accountIds, from, to))

/** All daily sums, in a fixed order. */
async function readAll(): Promise<unknown[]> {
  const { rows } = await sql`
    select to_jsonb(daily_figures) as row from daily_figures order by slice, day, product, network, package, role, supplier, account_id`.execute(
    database.db,
  )
  return rows
}

/** Checks that the daily sums equal a new count of everything, and the ledger. */
async function expectAllCountedOnce(): Promise<void> {
  const { checks } = await runAudit(database.db, reportAuditChecks, { isFull: true })
  expect(checks).toEqual({
    daily_figures_differ_from_transfers: 0,
    daily_sales_differ_from_the_ledger: 0,
    daily_purses_differ_from_transfers: 0,
  })
  const kept = await readAll()
  await database.db.deleteFrom('report_progress').execute()
  while (!(await rollUp(database.db, products)).isComplete);
  expect(kept).toEqual(await readAll())
}

const countOrders = async () => (await readSales(database.db, { from: addDays(today, -60), to: today }, 'day')).total?.orders

it('counts sales that were committed long after others that are younger', async () => {
  await rollUp(database.db, products)
  let commit = (): void => undefined
  const isWritten = Promise.withResolvers<void>()
  const late = inTransaction(database.db, async (tx) => {
    await writeSales(tx, someSales(20, minutesAgo(6), minutesAgo(4)))
    isWritten.resolve()
    await new Promise<void>((resolve) => (commit = resolve))
  })
  await isWritten.promise
  for (let round = 1; round <= 3; round += 1) {
    await writeSales(database.db, someSales(10, minutesAgo(3)))
    await rollUp(database.db, products)
    expect(await countOrders()).toBe(round * 10)
  }
  commit()
  await late
  await rollUp(database.db, products)
  expect(await countOrders()).toBe(50)
  await expectAllCountedOnce()
})

it('counts each sale once when its process is killed while it counts', async () => {
  await rollUp(database.db, products)
  await writeSales(database.db, someSales(40))
  const waiting = sql<{ pid: number }>`
    select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await inTransaction(database.ownerDb, async (tx) => {
    await sql`lock table daily_figures in share mode`.execute(tx)
    const broken = rollUp(database.db, products)
    broken.catch(() => undefined)
    await until(async () => (await waiting.execute(database.db)).rows.length === 1)
    await sql`select pg_terminate_backend(pid) from (${waiting}) as waiting`.execute(database.db)
    await expect(broken).rejects.toThrow(/terminat|connection|ECONNRESET/i)
  })
  expect(await countOrders()).toBe(0)
  await rollUp(database.db, products)
  expect(await countOrders()).toBe(40)
  await expectAllCountedOnce()
})

it('counts each sale once however many count at the same time', async () => {
  await rollUp(database.db, products)
  for (let round = 0; round < 4; round += 1) {
    await writeSales(database.db, someSales(15))
    const counts = Array.from({ length: 4 }, () => rollUp(database.db, products))
    expect((await Promise.allSettled(counts)).some(({ status }) => status === 'fulfilled')).toBe(true)
  }
  await rollUp(database.db, products)
  expect(await countOrders()).toBe(60)
  await expectAllCountedOnce()
})

it('counts days from before the first report', async () => {
  const days = (count: number) => minutesAgo(count * 24 * 60)
  await writeSales(database.db, someSales(200, days(40), days(3)))
  await rollUp(database.db, products)
  await writeSales(database.db, someSales(10))
  // Without statistics each day is counted alone.
  await sql`analyze transfers`.execute(database.ownerDb)
  let pieces = 0
  const piece: BackgroundShare['piece'] = (work) => ((pieces += 1), work())
  while (!(await rollUp(database.db, products, { piece })).isComplete);
  expect(pieces).toBeLessThan(10)
  expect(await countOrders()).toBe(210)
  const { countedFrom, asOf } = await readSales(database.db, { from: today, to: today }, 'day')
  expect(countedFrom).toBeNull()
  expect(Date.now() - (asOf?.getTime() ?? 0)).toBeLessThan(60_000)
  await expectAllCountedOnce()
})

it('gives back on the day of giving back what was sold on another', async () => {
  const sale = {
    ...someSales(1)[0]!,
    kind: 'data',
    details: { network: 'MTN', size: '1GB' },
    commission: undefined,
    adjustment: undefined,
  }
  const placedAt = minutesAgo(40 * 24 * 60)
  const end = { status: 'failed' as const, at: placedAt }
  await writeSales(database.db, [{ ...sale, price: 700, placedAt, end, refund: { amount: 700, at: new Date() } }])
  while (!(await rollUp(database.db, products)).isComplete);
  const placed = dayInAccra(placedAt)
  const figuresOf = async (day: string) => (await readSales(database.db, { from: day, to: day }, 'supplier')).total
  expect(await figuresOf(placed)).toMatchObject({ salesPesewas: 700, refundsPesewas: 0, successRate: 0 })
  expect(await figuresOf(today)).toMatchObject({ salesPesewas: 0, refundsPesewas: 700, marginPesewas: -700, successRate: null })
})

it('begins anew on a database that was restored on a younger server, and then counts each sale once', async () => {
  const atOnce = (count: number, at: Date) =>
    someSales(count, at, at).map((sale) => ({
      ...sale,
      end: undefined,
      refund: undefined,
      commission: undefined,
      adjustment: undefined,
    }))
  await writeSales(database.db, atOnce(30, minutesAgo(2)))
  await rollUp(database.db, products)
  // Rows from a server with higher transaction ids. One of them was not counted there.
  await sql`alter table transfers disable trigger all`.execute(database.ownerDb)
  await sql`alter table order_events disable trigger all`.execute(database.ownerDb)
  await writeSales(database.db, atOnce(5, minutesAgo(1)))
  for (const table of ['transfers', 'order_events'])
    await sql`update ${sql.table(table)} set transaction_id = (transaction_id::text::bigint + 5000000)::text::xid8`.execute(
      database.ownerDb,
    )
  await sql`update report_progress set counted = '4900000:5000000:'::pg_snapshot`.execute(database.ownerDb)
  await rollUp(database.db, products)
  expect(await countOrders()).toBe(35)
  await writeSales(database.db, atOnce(12, new Date()))
  await rollUp(database.db, products)
  await rollUp(database.db, products)
  expect(await countOrders()).toBe(47)
  const { checks } = await runAudit(database.db, reportAuditChecks, { isFull: true })
  expect(checks).toEqual({
    daily_figures_differ_from_transfers: 0,
    daily_sales_differ_from_the_ledger: 0,
    daily_purses_differ_from_transfers: 0,
  })
})

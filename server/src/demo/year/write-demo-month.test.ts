import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mustPassAudit } from '../../../test/must-pass-audit.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts'
import { readSales } from '../../reports/read-sales.ts'
import { demoEmail } from '../demo-files.ts'
import { openDemo } from '../open-demo.fixture.ts'

let database: TestDatabase
let dataDir: string

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'makola-month-'))
  database = await createTestDatabase()
  await openDemo(database.db, dataDir, { hasDemoMonth: true })
})
afterAll(async () => {
  await database.drop()
  await rm(dataDir, { recursive: true, force: true })
})

const ours = sql`account_id = (select id from accounts where email = ${demoEmail})`

async function count(what: ReturnType<typeof sql>): Promise<number> {
  const { rows } = await sql<{ n: string }>`select count(*) as n from ${what}`.execute(database.db)
  return Number(rows[0]?.n)
}

describe('the month of a new demo', () => {
  it('gives its reseller orders of every product and in every state, and something that waits', async () => {
    const { rows } = await sql<{ kinds: string[]; statuses: string[]; days: string }>`
      select array_agg(distinct kind order by kind) as kinds, array_agg(distinct status order by status) as statuses,
        count(distinct created_at::date) as days
      from orders where ${ours}`.execute(database.db)
    expect(rows[0]?.kinds).toEqual(['afa', 'airtime', 'data', 'results_checker', 'sms', 'utilities'])
    expect(rows[0]?.statuses).toEqual(
      expect.arrayContaining(['completed', 'failed', 'pending', 'processing', 'queued', 'refunded']),
    )
    expect(Number(rows[0]?.days)).toBeGreaterThan(24)
    expect(
      await count(sql`orders join open_orders on order_id = id where ${ours} and hold_reason = 'no_definitive_answer'`),
    ).toBeGreaterThan(0)
    expect(await count(sql`sms_campaigns where ${ours} and scheduled_at is not null`)).toBe(1)
    expect(await count(sql`wallet_credits where ${ours} and purse = 'main'`)).toBeGreaterThan(5)
    expect(await count(sql`order_commissions where ${ours} and caller > 0`)).toBeGreaterThan(5)
  })

  it('leaves the wallets as they are promised, and passes every rule of the audit', async () => {
    const { rows } = await sql`select purse, balance from wallets where ${ours} and purse <> 'commission' order by purse`.execute(
      database.db,
    )
    expect(rows).toEqual([
      { purse: 'main', balance: 100_000 },
      { purse: 'sms_credits', balance: 1_000 },
    ])
    await mustPassAudit(database.db)
  })

  it('is in the reports at the first look', async () => {
    const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10)
    const report = await readSales(database.db, { from: day(40), to: day(0) }, 'account')
    expect(report.total?.orders).toBe(600)
    expect(report.rows.length).toBeGreaterThan(5)
  })

  it('leaves the operator a key to approve, vouchers to buy, and has raised its alarms', async () => {
    expect(await count(sql`api_keys where status = 'pending'`)).toBe(1)
    expect(await count(sql`alarms where name = 'vouchers_low' and cleared_at is null`)).toBe(1)
    expect(await count(sql`alarms where name = 'orders_reported' and cleared_at is null`)).toBe(1)
    expect(await count(sql`alarms where name = 'orders_stuck' and cleared_at is null`)).toBeGreaterThan(0)
  })

  it('writes amounts of proposals as the programs do, with commas between groups of three digits', async () => {
    const money = sql`(before || ' ' || after) like '%GHS%'`
    expect(await count(sql`approvals where ${money}`)).toBeGreaterThan(2)
    expect(await count(sql`approvals where ${money} and (before || ' ' || after) ~ '[0-9]{4}'`)).toBe(0)
  })

  it('leaves the operator something of every kind that waits for a person', async () => {
    expect(await count(sql`settings where name = 'float_warning_ghs'`)).toBe(1)
    expect(await count(sql`business_requests where state = 'waiting'`)).toBe(1)
    expect(await count(sql`sms_senders where status = 'requested'`)).toBe(1)
    expect(await count(sql`top_ups where state = 'waiting' and way = 'transfer'`)).toBe(1)
    expect(await count(sql`order_reports where answered_at is null`)).toBeGreaterThan(0)
    expect(await count(sql`approvals where state = 'pending' and kind = 'wallet correct'`)).toBe(1)
    const { rows } = await sql<{ kinds: string[] }>`
      select array_agg(distinct kind order by kind) as kinds from reconciliation_differences where closed_at is null`.execute(
      database.db,
    )
    expect(rows[0]?.kinds.length).toBe(3)
  })

  it('is written once', async () => {
    expect((await openDemo(database.db, dataDir, { hasDemoMonth: true })).seeding.isNew).toBe(false)
    expect(await count(sql`orders`)).toBe(600)
  })
})

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { mustPassAudit } from '../../../test/must-pass-audit.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts'
import type { Db } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/new-id.ts'
import { stampMode } from '../../platform/database/stamp-mode.ts'
import { products } from '../../products/products.ts'
import { readSales } from '../../reports/read-sales.ts'
import { rollUp } from '../../reports/roll-up.ts'
import { openDemo } from '../open-demo.fixture.ts'
import { writeDemoHistory } from './write-demo-history.ts'

const opened: TestDatabase[] = []
const folders: string[] = []
/** A fixed moment, so that the test is the same on every day. */
const until = new Date('2026-10-15T12:34:56Z')

async function removeAll(): Promise<void> {
  await Promise.all(opened.splice(0).map((database) => database.drop()))
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })))
}

/** A database with a fresh demo. */
async function openShop({ demo = true } = {}) {
  const database = await createTestDatabase()
  opened.push(database)
  const dataDir = await mkdtemp(join(tmpdir(), 'makola-history-'))
  folders.push(dataDir)
  const { secretsKeys } = await openDemo(database.db, dataDir, { demo })
  const write = (request: { orderCount: number; months: number; seed: number }) =>
    writeDemoHistory({ db: database.db, secretsKeys }, { ...request, until })
  return { db: database.db, write }
}

const small = { orderCount: 2_000, months: 2, seed: 7 }

describe('the invented history', () => {
  let db: Db

  beforeAll(async () => {
    const shop = await openShop()
    db = shop.db
    while (!(await rollUp(db, products)).isComplete);
    await shop.write(small)
  })
  afterAll(removeAll)

  it('is in the reports from its first day on, also when they had been counted before', async () => {
    while (!(await rollUp(db, products)).isComplete);
    await mustPassAudit(db)
    const report = await readSales(db, { from: '2026-08-01', to: '2026-10-31' }, 'role')
    expect(report.total?.orders).toBe(2_000)
    expect(report.rows.map(({ key }) => key).toSorted()).toEqual(['agent', 'customer', 'dealer'])
  })

  it('passes every rule of the audit, with all the endings that orders have', async () => {
    await mustPassAudit(db)
    const count = async (what: string) =>
      Number((await sql<{ n: number }>`select count(*) as n from ${sql.raw(what)}`.execute(db)).rows[0]?.n)
    expect(await count('orders')).toBe(2_000)
    const products = ['data', 'airtime', 'utilities', 'results_checker', 'afa', 'sms']
    const happened = [
      ...products.map((product) => `orders where kind = '${product}' and status = 'completed'`),
      `orders where status = 'queued'`,
      `orders where status = 'pending'`,
      `orders where status = 'processing' and kind = 'data'`,
      `orders where status = 'failed'`,
      `orders where status = 'refunded' and kind = 'data'`,
      `orders where status = 'refunded' and kind = 'results_checker'`,
      `orders where status = 'refunded' and kind = 'sms'`,
      `orders where status = 'cancelled'`,
      `orders join afa_registrations on order_id = id where status = 'processing' and claimed_by is not null`,
      `open_orders where hold_reason = 'no_definitive_answer'`,
      `open_orders where hold_reason = 'not_registered'`,
      `attempts where attempt_no = 2 and outcome = 'delivered'`,
      `attempts where expected_cost is not null and supplier = 'datakazina'`,
      `attempt_answers where reported_cost is not null`,
      `contradictions`,
      `approvals where state = 'done' and kind = 'order settle' and request ->> 'outcome' = 'completed'`,
      `approvals where state = 'done' and kind = 'order settle' and request ->> 'outcome' = 'failed'`,
      `approvals where state = 'done' and kind = 'order adjust' and (request ->> 'amount')::bigint > 0`,
      `approvals where state = 'done' and kind = 'order adjust' and (request ->> 'amount')::bigint < 0`,
      `wallet_corrections`,
      `approvals where state = 'pending'`,
      `order_commissions where caller > 0`,
      `commission_moves`,
      `transfers where kind = 'sms_refund'`,
      `sms_campaigns where status = 'blocked'`,
      `sms_campaigns where status = 'processing'`,
      `sms_campaigns where status = 'queued' and scheduled_at is not null`,
      `operator_log where action = 'account set-role'`,
      `accounts where status = 'suspended'`,
      `orders join order_events on order_id = id where to_status = 'refunded' and order_events.created_at > orders.created_at + interval '1 day'`,
    ]
    const missing: string[] = []
    for (const what of happened) if ((await count(what)) === 0) missing.push(what)
    expect(missing).toEqual([])
  })

  it('lies in the past, in the order of time: ids, moments and entry numbers agree', async () => {
    const { rows } = await sql<{ late: number; early: number; of_other_moment: number; backwards: number; unspread: number }>`
      select
        (select count(*) from orders where updated_at > ${until}) as late,
        (select count(*) from orders where created_at < ${until}::timestamptz - interval '2 months') as early,
        (select count(*) from orders where created_at <> to_timestamp(('x' || substr(replace(id::text, '-', ''), 1, 12))::bit(48)::bigint / 1000.0)) as of_other_moment,
        (select count(*) from (
          select created_at < lag(created_at) over (partition by account_id order by coalesce(from_entry_no, to_entry_no)) as is_backwards
          from transfers where 'main' in (from_purse, to_purse) and kind <> 'commission_move') as entry where is_backwards) as backwards,
        60 - (select count(distinct created_at::date) from orders) as unspread`.execute(db)
    const [found] = rows
    expect(found).toMatchObject({ late: 0, early: 0, of_other_moment: 0, backwards: 0 })
    expect(Number(found?.unspread)).toBeLessThan(5)
  })
})

describe('inventing a history', () => {
  afterEach(removeAll)

  it('gives the same again for the same seed', async () => {
    const digests: unknown[] = []
    for (const seed of [7, 7, 8]) {
      const { db, write } = await openShop()
      await write({ orderCount: 300, months: 1, seed })
      const { rows } = await sql`
        select md5(string_agg(id::text || status || price || recipient || created_at, ',' order by id)) as digest from orders`.execute(
        db,
      )
      digests.push(rows[0])
    }
    expect(digests[1]).toEqual(digests[0])
    expect(digests[2]).not.toEqual(digests[0])
  })

  it('is refused in a live database, in one without the demo, and twice', async () => {
    const live = await openShop()
    await stampMode(live.db, 'live')
    await expect(live.write(small)).rejects.toThrow('This database is live')
    const bare = await openShop({ demo: false })
    await expect(bare.write(small)).rejects.toThrow('holds no demo')
    const { db, write } = await openShop()
    await write({ ...small, orderCount: 100 })
    await expect(write(small)).rejects.toThrow('already')
    expect((await sql`select from orders`.execute(db)).rows).toHaveLength(100)
  })

  it('is refused beside orders that are not the demo’s', async () => {
    const { db, write } = await openShop()
    await sql`
      with account as (
        insert into accounts (id, email, name, role) values (gen_random_uuid(), 'ama@example.com', 'Ama', 'agent') returning id
      )
      insert into orders (id, account_id, kind, reference, status, price, recipient, details)
      select ${newId()}::uuid, id, 'data', 'hers', 'completed', 100, '0240000000', '{}' from account`.execute(db)
    await expect(write(small)).rejects.toThrow('not the demo’s')
  })
})

import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { explainStatements } from '../test/running/explain-statements.ts'
import { readTodayThatLasts } from '../test/running/today-that-lasts.ts'
import { createTestDatabase, type TestDatabase } from '../test/test-database.ts'
import { allAuditChecks } from './all-audit-checks.ts'
import { type AuditCheck, runAudit } from './money/audit.ts'
import { readEntries } from './money/statement/list-entries.ts'
import { findSameOrders } from './orders/checking/find-same-orders.ts'
import { concludeWork } from './orders/dispatch/conclude-work.ts'
import { addRoutes, type Bench, makeAccount, openBench } from './orders/dispatch/order-bench.fixture.ts'
import type { Work } from './orders/dispatch/perform-work.ts'
import { planWork } from './orders/dispatch/plan-work.ts'
import { openStubAdapter } from './orders/dispatch/stub-supplier.fixture.ts'
import { recordCallbacks } from './orders/evidence/record-callbacks.ts'
import { placeTestOrders } from './orders/intake/place-test-orders.fixture.ts'
import { openFindOrder } from './orders/queries/find-order.ts'
import { listOrders } from './orders/queries/list-orders.ts'
import type { OrderQuery } from './orders/queries/order-filters.ts'
import { readHistoryOf } from './orders/queries/read-order-history.ts'
import { raiseStuckAlarms } from './orders/schedule/raise-stuck-alarms.ts'
import { settleOrders } from './orders/settlement/settle-orders.ts'
import { connectDatabase, type Db } from './platform/database/database.ts'
import { inTransaction } from './platform/database/in-transaction.ts'
import { newId } from './platform/database/new-id.ts'
import { createPartitions } from './platform/partitions/partitions.ts'
import { products } from './products/products.ts'
import { expandCampaigns } from './products/sms/campaigns/expand-campaigns.ts'
import { listMessages } from './products/sms/campaigns/list-messages.ts'
import { type CampaignFigures, findCampaign } from './products/sms/campaigns/read-campaign.ts'
import { type ClaimedMessage, claimMessages } from './products/sms/link/claim-messages.ts'
import { takeOverClaims } from './products/sms/link/take-over-claims.ts'
import { writeAnswers } from './products/sms/link/write-answers.ts'
import { writeReceipts } from './products/sms/link/write-receipts.ts'
import { countFigures } from './reports/count-figures.ts'
import type { SupplierAnswer } from './suppliers/ports.ts'

/** Age of the oldest partition, in months. With this month and the next two there are 36 partitions. */
const oldestMonth = 33
const ordersPerMonth = 60

let database: TestDatabase
let bench: Bench
/** A single connection. PostgreSQL counts what it scans and writes, and shows these counts when the test asks for them. */
let db: Db
let accountId: string

const [year = 0, month = 0] = (await readTodayThatLasts()).split('-').map(Number)
const monthOf = (ago: number) => new Date(Date.UTC(year, month - 1 - ago, 1))

const daysAfter = (days: number, moment: Date) => new Date(moment.getTime() + days * 24 * 3_600_000)

const partitionsOf = (tables: readonly string[], monthsAgo: readonly number[]) =>
  tables
    .flatMap((table) => monthsAgo.map((ago) => `${table}_${monthOf(ago).toISOString().slice(0, 7).replace('-', '_')}`))
    .toSorted()

/** Orders of each month, as if they had been sold and ended then. */
async function writeOldOrders(owner: Db): Promise<void> {
  const statements = [
    sql`insert into orders (id, account_id, kind, reference, status, price, recipient, details, created_at, updated_at)
      select (left(first_id_at(at)::text, 14) || '7000-8000-' || lpad(n::text, 12, '0'))::uuid, ${accountId}, 'data',
        'old-' || ago || '-' || n, case when n % 2 = 0 then 'completed' else 'refunded' end, 500, '0240000000', '{"network": "MTN"}', at, at
      from generate_series(0, ${oldestMonth}::int) as ago, generate_series(1, ${ordersPerMonth}::int) as n,
        lateral (select (date_trunc('month', now() at time zone 'UTC') - make_interval(months => ago)) at time zone 'UTC'
          + make_interval(mins => n) as at) as time`,
    sql`insert into order_references select reference, account_id, id, kind, '' from orders where reference like 'old-%'`,
    sql`insert into attempts (order_id, attempt_no, supplier, outgoing_reference, send_before, outcome)
      select id, 1, 'former', reference, created_at, 'delivered' from orders where reference like 'old-%'`,
    sql`insert into attempt_answers (order_id, attempt_no, source, answer, evidence)
      select id, 1, 'send', 'delivered', 'ok' from orders where reference like 'old-%'`,
    sql`insert into order_events (order_id, from_status, to_status, actor, created_at)
      select id, 'processing', status, 'worker', created_at from orders where reference like 'old-%'`,
    sql`insert into transfers (cause_id, kind, account_id, from_purse, to_purse, amount, from_entry_no, from_balance_after, created_at)
      select id, 'purchase', account_id, 'main', 'sales', 500, last_entry_no + row_number() over (order by id), 0, created_at
      from orders join wallets using (account_id) where purse = 'main' and reference like 'old-%'`,
    sql`update wallets set last_entry_no = (select max(from_entry_no) from transfers where account_id = ${accountId})
      where account_id = ${accountId} and purse = 'main'`,
    sql`insert into sms_campaigns (id, account_id, status, source, sender, message, encoding, segment_rule, segments, recipients,
        recipients_count, credits_charged, open_count, is_bulk, settled_at, expanded_at)
      select id, account_id, 'completed', 'api', 'AMA', 'x', 'gsm7', 'standard', 1, '{233241234567}', 1, 1, 0, false, created_at, created_at
      from orders where reference like 'old-%'`,
    sql`insert into sms_messages (campaign_id, n, recipient, network, is_bulk, status, submit, supplier)
      select id, 1, '233241234567', 'MTN', false, 'delivered', 'answered', 'smsc' from sms_campaigns`,
    sql`analyze`,
  ]
  for (const statement of statements) await statement.execute(owner)
}

beforeAll(async () => {
  database = await createTestDatabase()
  db = connectDatabase({ url: database.applicationUrl, poolSize: 1, applicationName: 'makola tests' })
  await createPartitions(db, monthOf(oldestMonth))
  await addRoutes(db, ['stub'])
  accountId = await makeAccount(db)
  bench = await openBench(database.db)
  const owner = connectDatabase({ url: database.ownerUrl, poolSize: 1, applicationName: 'makola tests' })
  await writeOldOrders(owner)
  // A connection that is idle reports up to ten seconds later what it wrote, which would be counted in the middle of a test.
  await sql`select pg_stat_force_next_flush()`.execute(owner)
  await owner.destroy()
})
afterAll(async () => {
  await bench.close()
  await db.destroy()
  await database.drop()
})

async function readCounts(): Promise<ReadonlyMap<string, number>> {
  await sql`select pg_stat_force_next_flush()`.execute(db)
  const { rows } = await sql<{ name: string; count: number }>`
    select relname as name, (seq_scan + coalesce(idx_scan, 0) + n_tup_ins)::int as count from pg_stat_user_tables
    where relname ~ '_\\d{4}_\\d\\d$'`.execute(db)
  return new Map(rows.map(({ name, count }) => [name, count]))
}

/** A connection that was closed reports what it read when its process ends, a moment later. */
const untilClosedOnesHaveReported = () =>
  expect
    .poll(async () => {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from pg_stat_activity
        where datname = current_database() and backend_type = 'client backend' and application_name <> 'makola tests'`.execute(db)
      return rows[0]?.count
    })
    .toBe(0)

/** The partitions that some work scanned or wrote. */
async function partitionsTouched(work: () => Promise<unknown>): Promise<string[]> {
  await untilClosedOnesHaveReported()
  const before = await readCounts()
  await work()
  const after = await readCounts()
  return [...after]
    .filter(([name, count]) => count !== before.get(name))
    .map(([name]) => name)
    .toSorted()
}

const silent = { error: () => undefined, info: () => undefined }
const adapter = openStubAdapter('http://127.0.0.1:9')
const depsOf = () => ({ ...bench.depsFor([adapter]), db })
const plan = () => planWork(depsOf(), db, 'stub/data/MTN', 10)
const settle = async (work: Work, answer: SupplierAnswer) => settleOrders(db, [await concludeWork(depsOf(), work, answer)])

const callbackOf = ({ attempt }: Work, meaning: 'delivered' | 'failed') =>
  recordCallbacks(db, [{ supplier: 'stub', outgoingReference: attempt.outgoingReference, answer: { meaning, evidence: 'told' } }])

it('a purchase, its dispatch, callbacks and its end touch the partitions of this month alone', async () => {
  const touched: Record<string, string[]> = {}
  const step = async (name: string, work: () => Promise<unknown>) => (touched[name] = await partitionsTouched(work))
  let work: readonly Work[] = []
  await step('purchase', () => placeTestOrders(db, accountId, ['0240000001', '0240000002', '0240000003']))
  await step('claim and send', async () => (work = (await plan()).work))
  const [first, second, third] = work as [Work, Work, Work]
  await step('callback', () => callbackOf(first, 'delivered'))
  await step('end', () => settle(first, { meaning: 'delivered', evidence: 'said' }))
  await step('refund', () => settle(second, { meaning: 'failed', evidence: 'said' }))
  await step('release', () => settle(third, { meaning: 'accepted', evidence: 'said' }))
  await sql`update open_orders set next_step_at = now()`.execute(db)
  await step('claim of a question', () => plan())
  await step('late callback', () => callbackOf(first, 'failed'))
  const now = (...tables: readonly string[]) => partitionsOf(tables, [0])
  expect(touched).toEqual({
    purchase: now('orders', 'transfers'),
    'claim and send': now('attempt_answers', 'attempts', 'order_events', 'orders'),
    callback: now('attempt_answers', 'attempts'),
    end: now('attempt_answers', 'attempts', 'order_events', 'orders'),
    refund: now('attempt_answers', 'attempts', 'order_events', 'orders', 'transfers'),
    release: now('attempt_answers', 'attempts'),
    'claim of a question': now('attempt_answers', 'attempts', 'orders'),
    'late callback': now('attempt_answers', 'attempts', 'orders'),
  })
})

/** A campaign to three numbers that waits to be expanded. */
async function writeCampaign(): Promise<string> {
  const id = newId()
  await sql`insert into orders (id, account_id, kind, reference, status, price, recipient, details)
    values (${id}, ${accountId}, 'sms', ${id}, 'pending', 3, '', '{}')`.execute(db)
  await sql`insert into open_orders (order_id, route, next_step_at) values (${id}, 'loop/sms', 'infinity')`.execute(db)
  await sql`insert into sms_campaigns (id, account_id, status, source, sender, message, encoding, segment_rule, segments, recipients,
      recipients_count, credits_charged, open_count, is_bulk)
    values (${id}, ${accountId}, 'queued', 'api', 'AMA', 'x', 'gsm7', 'standard', 1, '{233241234567,233241234568,233241234569}', 3, 3, 3,
      false)`.execute(db)
  return id
}

it('the messages of a campaign are written, claimed, answered and read in the partitions of its month alone', async () => {
  const campaignId = await writeCampaign()
  const holder = await takeOverClaims(db, 'smsc', { isResubmitting: false, receiptDays: 7 })
  const touched: Record<string, string[]> = {}
  const step = async (name: string, work: () => Promise<unknown>) => (touched[name] = await partitionsTouched(work))
  let claimed: readonly ClaimedMessage[] = []
  await step('expand', () => expandCampaigns(db))
  const wanted = { limit: 10, isBulkToo: true, deadlineHours: 24 }
  await step('claim', async () => (claimed = await claimMessages(db, holder, { any: [], MTN: [] }, wanted, new Map())))
  const answers = claimed.map((message, index) => ({
    message,
    answer: { meaning: 'accepted' as const, messageIds: [`key-${index}`], evidence: 'taken' },
    hasOtherSupplier: false,
    isLate: false,
  }))
  await step('answers', () => inTransaction(db, (tx) => writeAnswers(tx, 'smsc', answers, false)))
  const receipts = claimed.map((_, index) => ({ messageId: `key-${index}`, recipient: undefined, state: 'delivered' as const }))
  await step('receipts', () => inTransaction(db, (tx) => writeReceipts(tx, 'smsc', receipts, 7, [])))
  await step('read', async () => {
    const campaign = await findCampaign(db, accountId, campaignId)
    expect(campaign?.delivery).toEqual({ delivered: 3 })
  })
  await step('list', () =>
    listMessages(db, { id: campaignId, isExpanded: true, status: 'processing' } as CampaignFigures, { page: 0 }),
  )
  const ofMonth = (...tables: readonly string[]) => partitionsOf(tables, [0])
  // Open campaigns are looked for since the month of the oldest one, and the partitions of the next two months are empty.
  const sinceMonth = partitionsOf(['sms_campaigns'], [0, -1, -2])
  expect(touched).toEqual({
    expand: [...ofMonth('order_events', 'orders'), ...sinceMonth, ...ofMonth('sms_messages')],
    claim: [...sinceMonth, ...ofMonth('sms_messages')],
    answers: ofMonth('sms_campaigns', 'sms_messages'),
    receipts: ofMonth('sms_campaigns', 'sms_messages'),
    read: ofMonth('sms_campaigns', 'sms_messages'),
    list: ofMonth('sms_messages'),
  })
})

/** An order of long ago, and the partition that it lies in. */
const oldReference = 'old-30-7'
const oldPartition = partitionsOf(['orders'], [30])

it('an order of long ago is found in the partition of its month alone', async () => {
  const { rows } = await sql<{ id: string }>`select id from orders where reference = ${oldReference}`.execute(db)
  const id = rows[0]?.id ?? ''
  const findOrder = openFindOrder(db)
  let found: unknown[] = []
  const byName = async (reference: string) => found.push((await findOrder({ accountId, kind: 'data', reference }))?.id)
  expect(await partitionsTouched(() => byName(oldReference))).toEqual(oldPartition)
  expect(await partitionsTouched(() => byName(id))).toEqual(oldPartition)
  expect(found).toEqual([id, id])
  expect(await partitionsTouched(() => readHistoryOf(db, id))).toEqual(
    partitionsOf(['attempt_answers', 'attempts', 'order_events', 'orders'], [30]),
  )
  expect(await partitionsTouched(() => listOrders(db, products, { ids: [id], limit: 20 }))).toEqual(
    partitionsOf(['attempt_answers', 'attempts', 'orders'], [30]),
  )
})

/**
 * The partitions that are read for a page of the newest orders, as months ago. Those of the next two months are empty, and
 * PostgreSQL looks into them once. The partition of the last month is read because this month may have too few rows for a page.
 */
const newest = [1, 0, -1, -2]

/** The partitions that are read for each order of a page. For a page without orders none of them is read. */
const attemptsOfPage = partitionsOf(['attempts', 'attempt_answers'], [0])

it.each<[string, Omit<OrderQuery, 'limit'>, string[]]>([
  ['all', {}, [...partitionsOf(['orders'], newest), ...attemptsOfPage]],
  ['an account', { accountId: 'its id' }, [...partitionsOf(['orders'], newest), ...attemptsOfPage]],
  ['a recipient', { recipients: ['0240000000'] }, [...partitionsOf(['orders'], newest), ...attemptsOfPage]],
  [
    'a supplier',
    { supplier: 'former' },
    [...partitionsOf(['attempts'], newest), ...partitionsOf(['orders', 'attempt_answers'], [0])],
  ],
  [
    'refunded',
    { status: 'refunded' },
    [...partitionsOf(['order_events'], newest), ...partitionsOf(['orders'], [0]), ...attemptsOfPage],
  ],
  [
    'completed',
    { status: 'completed' },
    [...partitionsOf(['orders'], newest), ...partitionsOf(['attempts', 'attempt_answers'], [0, 1])],
  ],
  ['pending', { status: 'pending' }, [...partitionsOf(['orders'], [0]), ...attemptsOfPage]],
  ['stuck', { isStuckOnly: true }, [...partitionsOf(['orders'], [0]), ...attemptsOfPage]],
  ['held', { isHeldOnly: true }, []],
  ['a month', { from: daysAfter(1, monthOf(20)), to: daysAfter(-1, monthOf(19)) }, partitionsOf(['orders'], [20])],
  [
    'an account and a month',
    { accountId: 'its id', from: daysAfter(1, monthOf(20)), before: daysAfter(-1, monthOf(19)) },
    partitionsOf(['orders'], [20]),
  ],
])('the newest orders of %s are read in the newest partitions that hold a page of them', async (_name, query, expected) => {
  const wanted = { ...query, ...(query.accountId && { accountId }), limit: 20 }
  expect(await partitionsTouched(() => listOrders(db, products, wanted))).toEqual(expected.toSorted())
})

it('the newest entries of a wallet are read from one index of each partition, and no entry more', async () => {
  const read = async (work: (tested: Db) => Promise<unknown>) => {
    const scans = await explainStatements(database.applicationUrl, work)
    expect(scans.filter(({ type, rows }) => type === 'Seq Scan' && rows > ordersPerMonth)).toEqual([])
    return scans.filter(({ table }) => /_\d{4}_\d\d$/.test(table)).reduce((sum, { rows }) => sum + rows, 0)
  }
  const entries = { accountId, purse: 'main', firstNo: 1, lastNo: 100_000, isNewestFirst: true, limit: 20 } as const
  expect(await read((tested) => readEntries(tested, entries))).toBeLessThan(20 + 36)
})

it('orders of the last hour that bought the same are found in the partition of this month alone, by one index', async () => {
  const goods = ['0240000001', '0240000002'].map((recipient) => ({ recipient, network: 'MTN', variety: '5GB' }))
  await placeTestOrders(db, accountId, ['0240000001'])
  // In the middle of the month: the hours around its ends lie in two months.
  const now = daysAfter(14, monthOf(0))
  const find = (tested: Db) => findSameOrders(tested, { accountId, kind: 'data', now }, goods)
  expect(await partitionsTouched(() => find(db))).toEqual(partitionsOf(['orders'], [0]))
  const scans = await explainStatements(database.applicationUrl, find)
  expect(scans.filter(({ type }) => type === 'Seq Scan')).toEqual([])
})

it('the look for stuck orders reads no order that only waits for its turn', async () => {
  await placeTestOrders(db, accountId, ['0240000001'])
  await sql`update open_orders set next_step_at = 'infinity', hold_reason = null`.execute(db)
  expect(await partitionsTouched(() => raiseStuckAlarms(db, silent))).toEqual([])
})

/** The rows of partitioned tables that were fetched by an index so far. */
async function readFetches(): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.execute(db)
  const { rows } = await sql<{ count: number }>`
    select sum(idx_tup_fetch)::int as count from pg_stat_user_tables where relname ~ '_\\d{4}_\\d\\d$'`.execute(db)
  return rows[0]?.count ?? 0
}

it('answers to the first and the last of many orders read none of the orders between', async () => {
  const recipients = Array.from({ length: 60 }, (_, index) => `02410000${10 + index}`)
  await placeTestOrders(db, accountId, recipients)
  const { work } = await planWork(depsOf(), db, 'stub/data/MTN', 100, 'unsent')
  const ends = [work[0], work.at(-1)] as [Work, Work]
  const answers = ends.map((each) => concludeWork(depsOf(), each, { meaning: 'delivered', evidence: 'said' }))
  const before = await readFetches()
  await settleOrders(db, await Promise.all(answers))
  expect((await readFetches()) - before).toBeLessThan(20)
})

it('the figures of a day are counted from orders and attempts of its month alone', async () => {
  const [from, to] = [monthOf(20), daysAfter(1, monthOf(20))]
  const count = () =>
    inTransaction(db, (tx) => countFigures(tx, products, () => sql`created_at >= ${from} and created_at < ${to}`))
  // Which transfers and ends belong to the day is looked up in an index of each partition.
  const touched = (await partitionsTouched(count)).filter((partition) => !/^(?:transfers|order_events)_/.test(partition))
  expect(touched).toEqual(partitionsOf(['attempt_answers', 'attempts', 'order_commissions', 'orders'], [20]))
})

it('the daily sums of 36 months with few orders are compared in a few statements', async () => {
  const asked: unknown[] = []
  const check: AuditCheck = { name: 'days', pieces: 'days', badRows: ({ days }) => (asked.push(days), sql`select 0 as bad`) }
  await runAudit(db, [check], { isFull: true, rowsPerPiece: 1_000 })
  expect(asked.length).toBeGreaterThan(1)
  expect(asked.length).toBeLessThan(10)
})

it('no rule of the audit reads more of the partitions in small pieces than in one', async () => {
  // The partitions here are so small that PostgreSQL would read them whole for each wallet.
  const byIndex = new URL(database.applicationUrl)
  byIndex.searchParams.set('options', '-c enable_seqscan=off')
  const rowsRead = async (check: AuditCheck, rowsPerPiece: number) => {
    const audit = (cut: Db) => runAudit(cut, [check], { isFull: true, rowsPerPiece })
    const scans = await explainStatements(check.pieces === 'wallets' ? byIndex.href : database.applicationUrl, audit)
    return scans.filter(({ table }) => /_\d{4}_\d\d(_|$)/.test(table)).reduce((sum, { rows }) => sum + rows, 0)
  }
  const more: string[] = []
  for (const check of allAuditChecks.filter(({ pieces }) => pieces === 'ids' || pieces === 'wallets'))
    if ((await rowsRead(check, 1_000)) > 1.5 * (await rowsRead(check, 10_000)) + 100) more.push(check.name)
  expect(more).toEqual([])
})

it('a purchase in a month without its partition is refused with 503, and writes nothing', async () => {
  const [partition = ''] = partitionsOf(['transfers'], [0])
  await sql`alter table transfers detach partition ${sql.table(partition)}`.execute(database.ownerDb)
  const count = () =>
    db
      .selectFrom('order_references')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirst()
  const before = await count()
  await expect(placeTestOrders(db, accountId, ['0240000001'])).rejects.toThrow('refused the orders of the test: overloaded')
  expect(await count()).toEqual(before)
})

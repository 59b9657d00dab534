import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeAccount } from '../../test/make-account.ts'
import { readTodayThatLasts } from '../../test/running/today-that-lasts.ts'
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts'
import { runAudit } from '../money/audit.ts'
import { repeatableNumbers } from '../platform/repeatable-numbers.ts'
import { products } from '../products/products.ts'
import { waitLimitsSeconds } from './measures.ts'
import { addDays } from './period.ts'
import { randomSale, writeSales } from './random-sales.fixture.ts'
import { readCountedSales } from './read-counted-sales.fixture.ts'
import { type Grouping, groupings } from './read-sales.ts'
import { reportAuditChecks } from './reports.audit.ts'
import { rollUp } from './roll-up.ts'
import type { SalesFigures } from './sales-figures.ts'

const today = await readTodayThatLasts()
/** Sales of nine days; the last two are counted first, the others as older days. */
const period = { from: addDays(today, -6), to: today }

let database: TestDatabase
const accountIds: string[] = []

beforeAll(async () => {
  database = await createTestDatabase()
  for (let n = 0; n < 4; n += 1) accountIds.push((await makeAccount(database.db, {})).accountId)
  const random = repeatableNumbers(20_261_122)
  const from = new Date(`${addDays(today, -9)}T00:00:00Z`)
  const salesOf = (count: number, to = new Date()) =>
    Array.from({ length: count }, () => randomSale(random, accountIds, from, to))
  await writeSales(database.db, salesOf(500))
  await rollUp(database.db, products)
  // Later events are added to the sums, whatever their time.
  const since = new Date(Date.now() - 8 * 60_000)
  await writeSales(
    database.db,
    Array.from({ length: 60 }, () => randomSale(random, accountIds, since, new Date())),
  )
  await rollUp(database.db, products)
  await rollUp(database.db, products)
})
afterAll(() => database.drop())

/** The key of each grouping, written directly over the orders' own tables. */
const keys: Readonly<Record<Grouping, string>> = {
  day: `to_char(at, 'YYYY-MM-DD')`,
  week: `to_char(at, 'IYYY-"W"IW')`,
  month: `to_char(at, 'YYYY-MM')`,
  product: 'orders.kind',
  network: `coalesce(orders.details ->> 'network', orders.details ->> 'biller', 'none')`,
  package: `case orders.kind when 'data' then (orders.details ->> 'network') || ' ' || (orders.details ->> 'size')
    when 'results_checker' then orders.details ->> 'typeName' when 'airtime' then 'airtime ' || (orders.details ->> 'network')
    when 'utilities' then 'utilities ' || (orders.details ->> 'biller') else orders.kind end`,
  supplier: `case when orders.kind <> 'results_checker' and not exists (select from order_events where order_id = orders.id) then 'open'
    else coalesce((select supplier from attempts where order_id = orders.id order by attempt_no desc limit 1), 'none') end`,
  account: '(select email from accounts where id = orders.account_id)',
  role: `coalesce(orders.role, 'unknown')`,
}

/** A figure, straight from the rows: what it sums, where from, and when it happened. */
const figures: readonly { name: keyof SalesFigures; amount: string; from: string; where: string; at: string }[] = [
  { name: 'orders', amount: '1', from: 'orders', where: 'true', at: 'orders.created_at' },
  { name: 'salesPesewas', amount: 'price', from: 'orders', where: `kind <> 'sms'`, at: 'orders.created_at' },
  { name: 'creditsSpent', amount: 'price', from: 'orders', where: `kind = 'sms'`, at: 'orders.created_at' },
  ...(['refundsPesewas', 'creditsReturned'] as const).map((name) => ({
    name,
    amount: 'moved.amount',
    from: 'orders join transfers as moved on moved.cause_id = orders.id',
    where: `moved.kind like '%refund' and orders.kind ${name === 'refundsPesewas' ? '<>' : '='} 'sms'`,
    at: 'moved.created_at',
  })),
  {
    name: 'commissionPaidPesewas',
    amount: 'caller',
    from: 'orders join order_commissions on order_commissions.order_id = orders.id join order_events as move on move.order_id = orders.id',
    where: 'true',
    at: 'move.created_at',
  },
  {
    name: 'commissionEarnedPesewas',
    amount: 'base',
    from: 'orders join order_commissions on order_commissions.order_id = orders.id join order_events as move on move.order_id = orders.id',
    where: 'true',
    at: 'move.created_at',
  },
  {
    name: 'adjustmentsPesewas',
    amount: "(agreed.request ->> 'amount')::bigint",
    from: "orders join approvals as agreed on agreed.key = orders.id::text and agreed.kind = 'order adjust'",
    where: 'true',
    at: 'agreed.decided_at',
  },
  ...(['costPesewas', 'costEstimatedPesewas'] as const).map((name) => ({
    name,
    amount: `coalesce(reported, expected_cost) - coalesce((select base from order_commissions where order_id = orders.id), 0)`,
    from: `orders join order_events as move on move.order_id = orders.id and move.to_status = 'completed'
      join attempts on attempts.order_id = orders.id and attempts.outcome = 'delivered'
      left join lateral (select reported_cost as reported from attempt_answers where order_id = orders.id and attempt_no = attempts.attempt_no
        and reported_cost is not null and created_at <= move.created_at order by answer_no desc limit 1) as said on true`,
    where:
      name === 'costPesewas' ? 'coalesce(reported, expected_cost) is not null' : 'reported is null and expected_cost is not null',
    at: 'move.created_at',
  })),
]

async function sumStraight({ amount, from, where, at }: (typeof figures)[number], by: Grouping): Promise<Record<string, number>> {
  const key = sql.raw(keys[by].replaceAll(/\bat\b/g, at))
  const { rows } = await sql<{ key: string; sum: number }>`
    select ${key} as key, sum(${sql.raw(amount)})::bigint as sum from ${sql.raw(from)}
    where ${sql.raw(where)} and (${sql.raw(at)})::date between ${period.from}::date and ${period.to}::date
    group by 1 having sum(${sql.raw(amount)}) <> 0`.execute(database.db)
  return Object.fromEntries(rows.map((row) => [row.key, row.sum]))
}

describe('a report of sales', () => {
  it.each(groupings)('by %s says of every figure what the rows themselves say', async (by) => {
    const report = await readCountedSales(database.db, period, by)
    for (const figure of figures) {
      const told = report.rows.flatMap((row) => (row.figures[figure.name] ? [[row.key, row.figures[figure.name]]] : []))
      const straight = await sumStraight(figure, by)
      expect({ figure: figure.name, ...Object.fromEntries(told) }).toEqual({ figure: figure.name, ...straight })
      const all = Object.values(straight).reduce((sum, each) => sum + each, 0)
      expect([figure.name, report.total[figure.name]]).toEqual([figure.name, all])
      expect(Object.keys(straight).length).toBeGreaterThan(0)
    }
  })

  it('has as margin what is left of sales, and as a part of what was kept of them', async () => {
    const { total } = await readCountedSales(database.db, period, 'product')
    const kept = total.salesPesewas - total.refundsPesewas
    expect(total.marginPesewas).toBe(kept - total.costPesewas - total.commissionPaidPesewas)
    expect(total.marginPercent).toBeCloseTo((total.marginPesewas / kept) * 100, 2)
  })

  it('counts as success what was delivered of all that ended', async () => {
    const { rows } = await sql<{ rate: number }>`
      with ended as (
        select to_status = 'completed' as is_delivered, created_at from order_events
        union all
        select true, created_at from orders where kind = 'results_checker'
      )
      select avg(is_delivered::int)::float8 as rate from ended where created_at::date between ${period.from}::date and ${period.to}::date`.execute(
      database.db,
    )
    const { total } = await readCountedSales(database.db, period, 'day')
    expect(total.successRate).toBeCloseTo(rows[0]?.rate ?? Number.NaN, 10)
  })

  it.each([
    ['medianMinutes', 0.5],
    ['p95Minutes', 0.95],
  ] as const)('tells %s as exactly as its steps are', async (name, part) => {
    const { rows } = await sql<{ product: string; seconds: number }>`
      select orders.kind as product,
        percentile_disc(${part}) within group (order by extract(epoch from move.created_at - orders.created_at))::float8 as seconds
      from orders join order_events as move on move.order_id = orders.id and to_status = 'completed'
      where move.created_at::date between ${period.from}::date and ${period.to}::date
      group by orders.kind`.execute(database.db)
    const report = await readCountedSales(database.db, period, 'product')
    const told = new Map(report.rows.map((row) => [row.key, row.figures[name]]))
    expect(rows).toHaveLength(5)
    for (const { product, seconds } of rows) {
      const step = waitLimitsSeconds.findIndex((limit) => seconds < limit)
      const toldSeconds = (told.get(product) ?? Number.NaN) * 60
      expect([product, toldSeconds]).toEqual([product, expect.any(Number)])
      expect(toldSeconds).toBeGreaterThanOrEqual((waitLimitsSeconds[step - 1] ?? 0) - 1e-6)
      expect(toldSeconds).toBeLessThanOrEqual((waitLimitsSeconds[step] ?? Number.POSITIVE_INFINITY) + 1e-6)
    }
  })

  it('stands beside the time before, line by line', async () => {
    const halves = { from: addDays(today, -2), to: today }
    const report = await readCountedSales(database.db, halves, 'network')
    expect(report.periodBefore).toEqual({ from: addDays(today, -5), to: addDays(today, -3) })
    const before = await readCountedSales(database.db, report.periodBefore, 'network')
    expect(report.totalBefore).toEqual(before.total)
    expect(new Map(report.rows.map((row) => [row.key, row.before]))).toEqual(
      new Map(before.rows.map((row) => [row.key, { ...row.figures, medianMinutes: null, p95Minutes: null }])),
    )
  })

  it('has a line for a day without sales', async () => {
    const from = addDays(today, -20)
    const { rows } = await readCountedSales(database.db, { from, to: addDays(today, -15) }, 'day')
    expect(rows.map(({ key, figures: { orders } }) => [key, orders])).toEqual(
      Array.from({ length: 6 }, (_, index) => [addDays(from, index), 0]),
    )
  })
})

describe('the audit', () => {
  const audit = async (isFull = true) => (await runAudit(database.db, reportAuditChecks, { isFull })).checks
  const clean = {
    daily_figures_differ_from_transfers: 0,
    daily_sales_differ_from_the_ledger: 0,
    daily_purses_differ_from_transfers: 0,
  }

  it.each([true, false])('finds daily sums in order (full: %s)', async (isFull) => {
    expect(await audit(isFull)).toEqual(clean)
  })

  it.each(['sales', 'refunds', 'commission_paid', 'credits_spent', 'orders'])(
    'finds a row whose %s somebody changed by one',
    async (column) => {
      const touch = (by: number) => sql`
      update daily_figures set ${sql.ref(column)} = ${sql.ref(column)} + ${by}
      where ctid = (select ctid from daily_figures where slice = 'goods' order by day, product, network, package, role limit 1)`
      await touch(1).execute(database.db)
      const isSum = ['sales', 'refunds', 'credits_spent'].includes(column)
      expect(await audit()).toEqual({
        ...clean,
        daily_figures_differ_from_transfers: 1,
        daily_sales_differ_from_the_ledger: isSum ? 1 : 0,
      })
      await touch(-1).execute(database.db)
      expect(await audit()).toEqual(clean)
    },
  )

  it('finds an amount that somebody moved from one account to another', async () => {
    const touch = (by: number) => sql`
      update daily_figures set sales = sales + case account_id when ${accountIds[0]}::uuid then ${by}::bigint else -${by}::bigint end
      where slice = 'account' and day = ${today}::date and account_id in (${accountIds[0]}, ${accountIds[1]})`
    await touch(100).execute(database.db)
    expect((await audit(false)).daily_figures_differ_from_transfers).toBe(2)
    await touch(-100).execute(database.db)
    expect(await audit(false)).toEqual(clean)
  })

  it('finds a sum of a purse that somebody changed', async () => {
    await sql`update daily_purses set moved_in = moved_in + 1 where day = ${today}::date and purse = 'main'`.execute(database.db)
    expect(await audit()).toEqual({ ...clean, daily_purses_differ_from_transfers: 1 })
    await sql`update daily_purses set moved_in = moved_in - 1 where day = ${today}::date and purse = 'main'`.execute(database.db)
  })
})

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeAccount } from '../../test/make-account.ts'
import { readTodayThatLasts } from '../../test/running/today-that-lasts.ts'
import { setUpCommandLine } from '../../test/set-up-command-line.ts'
import { allCommands } from '../all-commands.ts'
import { firstIdAt } from '../platform/database/first-id-at.ts'
import { repeatableNumbers } from '../platform/repeatable-numbers.ts'
import { writeSetting } from '../platform/settings/settings.ts'
import { products } from '../products/products.ts'
import { leaveUncounted } from '../reports/leave-uncounted.fixture.ts'
import { addDays } from '../reports/period.ts'
import { randomSale, writeSales } from '../reports/random-sales.fixture.ts'
import { readCountedSales } from '../reports/read-counted-sales.fixture.ts'
import { groupings } from '../reports/read-sales.ts'
import { taxRates } from '../reports/reports.settings.ts'
import { rollUp } from '../reports/roll-up.ts'

const desk = setUpCommandLine(allCommands)
const { run, json } = desk

const today = await readTodayThatLasts()
const period = { from: addDays(today, -5), to: today }
const days = ['--from', period.from, '--to', period.to]

describe('makola report sales', () => {
  it('says before anything was counted that nothing is', async () => {
    expect(await json('report', 'sales')).toMatchObject({
      total: { orders: null, sales: null, margin: null, success_rate: null, counted: 'none' },
      as_of: null,
    })
    const text = (await run('report', 'sales')).stdout
    expect(text).toContain('Nothing is counted yet')
    expect(text).toMatch(new RegExp(`\\n${today} +not counted yet`))
    expect(text).toMatch(/\ntotal +not counted yet/)
    expect(text).toContain('The period before, from')
    expect(text).not.toContain('0.00')
  })

  describe('of a week', () => {
    beforeAll(async () => {
      const accountIds = [(await makeAccount(desk.db, {})).accountId, (await makeAccount(desk.db, {})).accountId]
      const random = repeatableNumbers(3)
      const from = new Date(`${addDays(today, -8)}T00:00:00Z`)
      await writeSales(
        desk.db,
        Array.from({ length: 200 }, () => randomSale(random, accountIds, from, new Date())),
      )
      await rollUp(desk.db, products)
    })

    it.each(groupings)('by %s prints what the report has, in GHS', async (by) => {
      const { total, rows, before, ...rest } = await json('report', 'sales', ...days, '--by', by)
      const report = await readCountedSales(desk.db, period, by)
      expect(rest).toMatchObject({ ...period, by, counted_from: null, as_of: expect.any(String) })
      expect(rows).toHaveLength(report.rows.length)
      const figures = report.total
      expect(total).toMatchObject({
        orders: figures.orders,
        sales: figures.salesPesewas / 100,
        cost: figures.costPesewas / 100,
        commission: figures.commissionPaidPesewas / 100,
        refunds: figures.refundsPesewas / 100,
        margin: figures.marginPesewas / 100,
        margin_percent: figures.marginPercent,
        credits: figures.creditsSpent,
      })
      expect(before).toMatchObject({ ...report.periodBefore, total: { sales: report.totalBefore.salesPesewas / 100 } })
      const text = (await run('report', 'sales', ...days, '--by', by)).stdout
      for (const { key } of report.rows) expect(text).toContain(key)
      expect(text).toContain('of the cost is what was expected')
      expect(text).toContain('SMS credits')
    })

    it('writes the lines and the total as CSV', async () => {
      const file = join(desk.folder, 'sales.csv')
      const { rows, total } = await json('report', 'sales', ...days, '--by', 'product', '--csv', file)
      const [head = '', ...lines] = (await readFile(file, 'utf8')).trimEnd().split('\r\n')
      const names = head.split(',')
      const read = lines.map((line) => Object.fromEntries(line.split(',').map((cell, column) => [names[column], cell])))
      const told = [...(rows as Record<string, unknown>[]), { key: 'total', ...(total as object) }] as Record<string, unknown>[]
      const counts = /^(?:orders|success_rate|\w+_minutes|cost_unknown_orders|margin_percent|credits\w*)$/
      const cellOf = (name: string, value: unknown) =>
        typeof value === 'number' ? (counts.test(name) ? String(value) : value.toFixed(2)) : (value ?? '')
      expect(read).toEqual(
        told.map((row) =>
          Object.fromEntries(names.map((name) => [name, cellOf(name, name === 'product' ? row['key'] : row[name])])),
        ),
      )
    })

    it('are counted anew on request, to the same figures', async () => {
      const before = await readCountedSales(desk.db, period, 'day')
      await desk.db.updateTable('daily_figures').set({ sales: 1 }).execute()
      await json('report', 'recount')
      await rollUp(desk.db, products)
      expect((await readCountedSales(desk.db, period, 'day')).rows).toEqual(before.rows)
    })

    it('says in one line why a file cannot be written', async () => {
      const outcome = await run('report', 'sales', '--csv', join(desk.folder, 'no', 'such', 'folder.csv'))
      expect(outcome).toMatchObject({ exitCode: 1, stdout: '' })
      expect(outcome.stderr).toMatch(/^makola: .* cannot be written: .*\n$/)
    })
  })

  it.each([
    [['--from', '2026-13-01'], '--from must be a date'],
    [['--to', '2026-11-01T10:00:00Z'], '--to must be a day such as 2027-01-31'],
    [['--from', '2026-11-02', '--to', '2026-11-01'], '--from must not be after --to'],
    [['--by', 'colour'], "argument 'colour' is invalid"],
  ])('refuses %j as wrong usage', async (words, message) => {
    const outcome = await run('report', 'sales', ...words)
    expect(outcome.exitCode).toBe(2)
    expect(outcome.stderr).toContain(message)
  })
})

describe('makola report float', () => {
  it('says what a supplier holds, and how many days it lasts at the pace of the last 7 days', async () => {
    const spent = await desk.db
      .selectFrom('attempts')
      .select('supplier')
      .groupBy('supplier')
      .where('supplier', 'in', ['datamart', 'hubtel'])
      .execute()
    expect(spent).toHaveLength(2)
    await desk.db
      .updateTable('suppliers')
      .set({ float_pesewas: 70_000, float_read_at: new Date() })
      .where('name', '=', 'datamart')
      .execute()
    const floats = (await json('report', 'float'))['rows'] as Record<string, unknown>[]
    const datamart = floats.find(({ key }) => key === 'datamart') ?? {}
    // The cost of the orders delivered since the seventh day before today, read directly from the attempts.
    const { rows } = await sql<{ spent: number; days: number }>`
      select sum(coalesce(said.reported_cost, attempts.expected_cost))::float8 / 100 as spent,
        extract(epoch from now() - (current_date - 6)::timestamptz)::float8 / 86400 as days
      from order_events as move join attempts on attempts.order_id = move.order_id and attempts.outcome = 'delivered'
      left join lateral (select reported_cost from attempt_answers where order_id = move.order_id and attempt_no = attempts.attempt_no and reported_cost is not null
        and created_at <= move.created_at order by answer_no desc limit 1) as said on true
      where move.to_status = 'completed' and supplier = 'datamart' and move.created_at >= current_date - 6`.execute(desk.db)
    const { spent: cost = 0, days = 0 } = rows[0] ?? {}
    expect(datamart).toMatchObject({ enabled: true, float: 700, read_at: expect.any(String) })
    expect(datamart['cost_per_day']).toBeCloseTo(cost / days, 1)
    expect(datamart['days_left']).toBeCloseTo((700 * days) / cost, 0)
    expect(floats.find(({ key }) => key === 'hubtel')).toMatchObject({ float: null, days_left: null })
    expect((await run('report', 'float')).stdout).toMatch(/hubtel +not known/)
  })
})

describe('makola report balances', () => {
  it('says what is owed now, and what was at the end of a day', async () => {
    const { accountId } = await makeAccount(desk.db, { balancePesewas: 12_345 })
    const { rows: now, total } = await json('report', 'balances')
    const [main] = await desk.db
      .selectFrom('wallets')
      .select(({ fn }) => fn.sum<string>('balance').as('sum'))
      .where('purse', '=', 'main')
      .execute()
    expect(now).toMatchObject([
      { key: 'main', balance: Number(main?.sum) / 100, unit: 'GHS' },
      { key: 'commission' },
      { key: 'sms_credits', unit: 'credits' },
    ])
    expect(total).toEqual({ owed: Number(main?.sum) / 100 })
    expect(await json('report', 'balances', '--at', '2020-01-01')).toEqual({
      at: '2020-01-01T23:59:59.999Z',
      rows: ['main', 'commission', 'sms_credits'].map((key) => ({
        key,
        balance: 0,
        unit: key === 'sms_credits' ? 'credits' : 'GHS',
      })),
      total: { owed: 0 },
    })
    const soFar = await json('report', 'balances', '--at', today)
    expect(new Date(String(soFar['at'])).getTime()).toBeLessThanOrEqual(Date.now())
    expect(accountId).toBeTypeOf('string')
    expect((await run('report', 'balances', '--at', 'yesterday')).exitCode).toBe(2)
  })
})

describe('makola report vouchers', () => {
  it('says how many are left, and how many days they last', async () => {
    expect((await run('report', 'vouchers')).stdout).toContain('There is no voucher type yet')
    await sql`
      insert into voucher_types (id, name, price_customer, price_agent, price_dealer, available_count)
      values (gen_random_uuid(), 'BECE', 3, 2, 1, 6), (gen_random_uuid(), 'WASSCE', 3, 2, 1, 2)`.execute(desk.db)
    // Three vouchers were sold in the last 7 days, and one before that.
    await sql`
      insert into vouchers (id, type_id, pin, pin_hash, serial_number, serial_number_hash, order_id, sold_at)
      select gen_random_uuid(), voucher_types.id, 'x', decode(md5(n::text), 'hex'), 'x', decode(md5(n::text), 'hex'),
        (${firstIdAt(Date.now() - 1_000)}::text)::uuid, now() - n * interval '2 days'
      from voucher_types, generate_series(1, 4) as n where name = 'BECE'`.execute(desk.db)
    expect(await json('report', 'vouchers')).toEqual({
      rows: [
        { key: 'BECE', on_sale: true, left: 6, sold_in_7_days: 3, days_left: 14 },
        { key: 'WASSCE', on_sale: true, left: 2, sold_in_7_days: 0, days_left: null },
      ],
      total: { left: 8 },
    })
  })
})

describe('makola report tax', () => {
  it('guesses no rate', async () => {
    expect(await json('report', 'tax', ...days)).toMatchObject({ rows: [], total: { tax: 0 } })
    expect((await run('report', 'tax')).stdout).toContain('none is guessed')
  })

  it('works each named rate out on its base, to the pesewa', async () => {
    const rates = [
      { name: 'Levy', percent: 2.5, on: 'net_sales' },
      { name: 'Value added', percent: 15, on: 'net_sales', is_included: true },
      { name: 'Withheld', percent: 7.5, on: 'commission_paid' },
    ] as const
    await writeSetting(desk.db, taxRates, rates, 'test')
    const { total } = await readCountedSales(desk.db, period, 'day')
    const net = total.salesPesewas - total.refundsPesewas
    const taxes = [Math.round(net * 0.025), Math.round((net * 15) / 115), Math.round(total.commissionPaidPesewas * 0.075)]
    const file = join(desk.folder, 'tax.csv')
    const report = await json('report', 'tax', ...days, '--csv', file)
    expect(report).toMatchObject({
      rows: [
        { key: 'Levy', percent: 2.5, on: 'net_sales', is_included: false, base: net / 100, tax: (taxes[0] ?? 0) / 100 },
        { key: 'Value added', is_included: true, base: net / 100, tax: (taxes[1] ?? 0) / 100 },
        { key: 'Withheld', base: total.commissionPaidPesewas / 100, tax: (taxes[2] ?? 0) / 100 },
      ],
      total: { tax: taxes.reduce((sum, tax) => sum + tax, 0) / 100 },
    })
    expect((await readFile(file, 'utf8')).split('\r\n')[0]).toBe('rate,percent,on,is_included,base,tax,is_at_most,counted')
    expect((await run('report', 'tax', ...days)).stdout).toContain('in net sales')
  })

  it('says of a tax on a margin of which costs are not known that it is at most so much, and of no other tax', async () => {
    const rates = [
      { name: 'Levy', percent: 2.5, on: 'net_sales' },
      { name: 'Income', percent: 25, on: 'margin' },
    ] as const
    await writeSetting(desk.db, taxRates, rates, 'test')
    const { total } = await readCountedSales(desk.db, period, 'day')
    expect(total.costUnknownOrders).toBeGreaterThan(0)
    const file = join(desk.folder, 'tax-at-most.csv')
    expect(await json('report', 'tax', ...days, '--csv', file)).toMatchObject({
      rows: [
        { key: 'Levy', is_at_most: false },
        { key: 'Income', base: total.marginPesewas / 100, is_at_most: true },
      ],
      total: { is_at_most: true },
    })
    const lines = (await readFile(file, 'utf8')).trim().split('\r\n')
    expect(lines.map((line) => line.split(',').at(-2))).toEqual(['is_at_most', 'false', 'true'])
    const text = (await run('report', 'tax', ...days)).stdout
    expect(text).toMatch(/\nLevy .*net sales +GHS [^≤]*\n/)
    expect(text).toMatch(/\nIncome .*margin +≤ -?GHS \S+ +≤ -?GHS/)
    expect(text).toMatch(/\ntotal +≤ -?GHS/)
    expect(text).toContain(`Of ${total.costUnknownOrders} delivered orders and top-ups nobody has entered the cost`)
  })

  it('says of days that are not counted yet that they are not, and since when the others are', async () => {
    const countedFrom = addDays(today, -2)
    await leaveUncounted(desk.db, countedFrom)
    const since = `Counted since ${countedFrom}: the worker goes on by itself`
    const sales = (await run('report', 'sales', ...days)).stdout
    expect(sales).toMatch(new RegExp(`\\n${period.from} +not counted yet`))
    expect(sales).toMatch(new RegExp(`\\n${countedFrom} +\\d+ `))
    expect(sales).toMatch(new RegExp(`\\ntotal since ${countedFrom} +\\d+ `))
    expect(sales).toMatch(/The period before, .*, is not counted yet\./)
    expect(sales).not.toContain('(now')
    expect(sales).toContain(since)
    const taxes = (await run('report', 'tax', ...days)).stdout
    expect(taxes).toContain(`\ntotal since ${countedFrom} `)
    expect(taxes).toContain(`\n${since}`)
    expect((await run('report', 'float')).stdout).toContain(`that are counted.\n${since}`)
    await leaveUncounted(desk.db)
    expect((await run('report', 'tax', ...days)).stdout).toMatch(/Levy .*not counted yet +not counted yet/)
    expect((await run('report', 'float')).stdout).toMatch(/datamart +GHS 700\.00 .* not counted yet/)
  })
})

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeAccount } from '../../test/makers.ts'
import { setUpCommandLine } from '../../test/set-up-command-line.ts'
import { products } from '../products/products.ts'
import { addDays, dayInAccra } from '../reports/period.ts'
import { randomSale, seededRandom, writeSales } from '../reports/random-sales.fixture.ts'
import { groupings, readSales } from '../reports/read-sales.ts'
import { rollUp } from '../reports/roll-up.ts'
import { registerReportCommand } from './report.ts'

const desk = setUpCommandLine([registerReportCommand])
const { run, json } = desk

const today = dayInAccra(new Date())
const period = { from: addDays(today, -5), to: today }
const days = ['--from', period.from, '--to', period.to]

describe('makola report sales', () => {
  it('says before anything was counted that nothing is', async () => {
    expect(await json('report', 'sales')).toMatchObject({
      total: { orders: 0, sales: 0, margin: 0, success_rate: null },
      as_of: null,
    })
    expect((await run('report', 'sales')).stdout).toContain('Nothing is counted yet')
  })

  describe('of a week', () => {
    beforeAll(async () => {
      const accountIds = [(await makeAccount(desk.db, {})).accountId, (await makeAccount(desk.db, {})).accountId]
      const random = seededRandom(3)
      const from = new Date(`${addDays(today, -8)}T00:00:00Z`)
      await writeSales(
        desk.db,
        Array.from({ length: 200 }, () => randomSale(random, accountIds, from, new Date())),
      )
      await rollUp(desk.db, products)
    })

    it.each(groupings)('by %s prints what the report has, in GHS', async (by) => {
      const { total, rows, before, ...rest } = await json('report', 'sales', ...days, '--by', by)
      const report = await readSales(desk.db, period, by)
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
      const cellOf = (value: unknown) => (typeof value === 'number' ? value.toString() : (value ?? ''))
      expect(read).toEqual(
        told.map((row) => Object.fromEntries(names.map((name) => [name, cellOf(name === 'product' ? row['key'] : row[name])]))),
      )
    })

    it('are counted anew on request, to the same figures', async () => {
      const before = await readSales(desk.db, period, 'day')
      await desk.db.updateTable('daily_figures').set({ sales: 1 }).execute()
      await json('report', 'recount')
      await rollUp(desk.db, products)
      expect((await readSales(desk.db, period, 'day')).rows).toEqual(before.rows)
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

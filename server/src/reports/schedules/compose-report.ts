import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { type CsvTable, writeCsv } from '../../platform/write-csv.ts'
import { notCountedYet } from '../counted-days.ts'
import { addDays, type Period } from '../period.ts'
import { readBalances } from '../read-balances.ts'
import { readFloat } from '../read-float.ts'
import { type Grouping, readSales } from '../read-sales.ts'
import { readTaxes } from '../read-taxes.ts'
import { balanceTable, floatTable, taxTable, viewBalances, viewFloats, viewTaxes } from '../view/view-money.ts'
import { salesTable, viewFigures } from '../view/view-sales.ts'
import type { ReportInterval, ScheduledReport } from './report-schedules.ts'

/** A report in a mail: a short text, and its lines as a file. */
export type ComposedReport = {
  readonly subject: string
  readonly text: string
  readonly file: { readonly name: string; readonly text: string }
}

type Schedule = { report: ScheduledReport; by: Grouping; every: ReportInterval }

/**
 * Finds the first day of a report that ends on this day: the day itself, the Monday of its ISO week, or the first of its
 * month.
 */
function firstDay(lastDay: string, every: ReportInterval): string {
  const days = { day: 0, week: 6, month: Number(lastDay.slice(-2)) - 1 }
  return addDays(lastDay, -days[every])
}

const twoDecimals = { minimumFractionDigits: 2, maximumFractionDigits: 2 } as const

/** An amount in GHS as text. Null: its days are not counted yet. */
const money = (amount: number | null) => (amount === null ? notCountedYet : `GHS ${amount.toLocaleString('en-US', twoDecimals)}`)

/** Prefix of a margin whose costs were not all entered. */
const atMost = (isAtMost: boolean) => (isAtMost ? 'at most ' : '')

type Content = { readonly title: string; readonly words: readonly string[]; readonly table: CsvTable }

type Compose = (db: Db, period: Period, by: Grouping) => Promise<Content>

const contents: Readonly<Record<ScheduledReport, Compose>> = {
  sales: async (db, period, by) => {
    const report = await readSales(db, period, by)
    const { orders, sales, refunds, margin, margin_percent: percent, ...figures } = viewFigures(report.total)
    const unknown = figures.cost_unknown_orders ?? 0
    const before = viewFigures(report.totalBefore)
    return {
      title: 'Sales',
      words: [
        `Orders ${orders ?? notCountedYet} (${before.orders ?? notCountedYet} in the time before)`,
        `Sales ${money(sales)} (${money(before.sales)})`,
        `Refunds ${money(refunds)} (${money(before.refunds)})`,
        `Margin ${atMost(unknown > 0)}${money(margin)}${percent === null ? '' : `, ${percent.toFixed(1)} %`} (${money(before.margin)})`,
        ...(unknown === 0
          ? []
          : [`Of ${unknown} delivered orders and top-ups nobody has entered the cost, so the margin is at most that.`]),
      ],
      table: salesTable(report),
    }
  },
  tax: async (db, period) => {
    const report = await readTaxes(db, period)
    const { rows, total } = viewTaxes(report)
    const words = rows.map(
      ({ key, percent, base, tax, is_at_most: isAtMost }) =>
        `${key}, ${percent} % of ${atMost(isAtMost)}${money(base)}: ${atMost(isAtMost)}${money(tax)}`,
    )
    const empty = 'No rate is set, so there is nothing to calculate.'
    return {
      title: 'Taxes',
      words: rows.length === 0 ? [empty] : [...words, `Together ${atMost(total.is_at_most)}${money(total.tax)}`],
      table: taxTable(report),
    }
  },
  balances: async (db, { to }) => {
    const balances = await readBalances(db, new Date(`${addDays(to, 1)}T00:00:00Z`))
    const { total } = viewBalances(balances)
    const words = [`In money ${money(total.owed)} at the end of ${to}`]
    return { title: 'Owed to resellers', words, table: balanceTable(balances) }
  },
  float: async (db) => {
    const report = await readFloat(db)
    const words = viewFloats(report).rows.map(
      ({ key, float, days_left: days }) =>
        `${key}: ${float === null ? 'not known' : money(float)}${days === null ? '' : `, ${days} days`}`,
    )
    return { title: 'What suppliers hold', words, table: floatTable(report) }
  },
}

/**
 * Composes a scheduled report over the day, week or month that ends on this day.
 * @returns undefined when the schedule was ended meanwhile
 */
export async function composeReport(db: Db, scheduleId: string, lastDay: string): Promise<ComposedReport | undefined> {
  const { rows } = await sql<Schedule>`
    select report, grouping as by, every from report_schedules where id = ${scheduleId}`.execute(db)
  const [schedule] = rows
  if (!schedule) return undefined
  const { report, by, every } = schedule
  const period = { from: firstDay(lastDay, every), to: lastDay }
  const { title, words, table } = await contents[report](db, period, by)
  const days = period.from === period.to ? period.to : `${period.from} to ${period.to}`
  return {
    subject: `${title}, ${days}`,
    text: `${words.join('\n')}\n\nThe lines are in the file.`,
    file: { name: `${report}-${lastDay}.csv`, text: writeCsv(table) },
  }
}

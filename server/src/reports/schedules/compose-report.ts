import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { writeCsv } from '../../platform/write-csv.ts'
import { addDays, type Period } from '../period.ts'
import { readBalances } from '../read-balances.ts'
import { readFloat } from '../read-float.ts'
import { type Grouping, readSales } from '../read-sales.ts'
import { readTaxes } from '../read-taxes.ts'
import { linesOf } from '../view/report-lines.ts'
import { viewBalances, viewFloats, viewTaxes } from '../view/view-money.ts'
import { salesLines, viewFigures } from '../view/view-sales.ts'
import type { Every, ScheduledReport } from './report-schedules.ts'

/** A report in a mail: a few words, and the lines as a file. */
export type ComposedReport = {
  readonly subject: string
  readonly text: string
  readonly file: { readonly name: string; readonly text: string }
}

type Schedule = { report: ScheduledReport; by: Grouping; every: Every }

/**
 * Finds the first day of the time that ends on a day: that day itself, the Monday of its ISO week, or the first of its
 * month.
 */
function firstDay(lastDay: string, every: Every): string {
  const days = { day: 0, week: 6, month: Number(lastDay.slice(-2)) - 1 }
  return addDays(lastDay, -days[every])
}

const money = (amount: number) => `GHS ${amount.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`

type Content = { readonly title: string; readonly words: readonly string[]; readonly lines: (string | number)[][] }

type Compose = (db: Db, period: Period, by: Grouping) => Promise<Content>

const contents: Readonly<Record<ScheduledReport, Compose>> = {
  sales: async (db, period, by) => {
    const report = await readSales(db, period, by)
    const { orders, sales, refunds, margin, margin_percent: percent } = viewFigures(report.total)
    const before = viewFigures(report.totalBefore)
    return {
      title: 'Sales',
      words: [
        `Orders ${orders} (${before.orders} in the time before)`,
        `Sales ${money(sales)} (${money(before.sales)})`,
        `Refunds ${money(refunds)} (${money(before.refunds)})`,
        `Margin ${money(margin)}${percent === null ? '' : `, ${percent.toFixed(1)} %`} (${money(before.margin)})`,
      ],
      lines: salesLines(report),
    }
  },
  tax: async (db, period) => {
    const { rows, total } = viewTaxes(await readTaxes(db, period))
    const words = rows.map(({ key, percent, base, tax }) => `${key}, ${percent} % of ${money(base)}: ${money(tax)}`)
    const empty = 'No rate is set, so there is nothing to calculate.'
    return {
      title: 'Taxes',
      words: rows.length === 0 ? [empty] : [...words, `Together ${money(total.tax)}`],
      lines: linesOf(rows),
    }
  },
  balances: async (db, { to }) => {
    const { rows, total } = viewBalances(await readBalances(db, new Date(`${addDays(to, 1)}T00:00:00Z`)))
    return { title: 'Owed to resellers', words: [`In money ${money(total.owed)} at the end of ${to}`], lines: linesOf(rows) }
  },
  float: async (db) => {
    const { rows } = viewFloats(await readFloat(db))
    const words = rows.map(
      ({ key, float, days_left: days }) =>
        `${key}: ${float === null ? 'not known' : money(float)}${days === null ? '' : `, ${days} days`}`,
    )
    return { title: 'What suppliers hold', words, lines: linesOf(rows) }
  },
}

/**
 * Composes a scheduled report over the day, week or month that ends on a day.
 * @returns undefined when the schedule was ended meanwhile
 */
export async function composeReport(db: Db, scheduleId: string, lastDay: string): Promise<ComposedReport | undefined> {
  const { rows } = await sql<Schedule>`
    select report, grouping as by, every from report_schedules where id = ${scheduleId}`.execute(db)
  const [schedule] = rows
  if (!schedule) return undefined
  const { report, by, every } = schedule
  const period = { from: firstDay(lastDay, every), to: lastDay }
  const { title, words, lines } = await contents[report](db, period, by)
  const days = period.from === period.to ? period.to : `${period.from} to ${period.to}`
  return {
    subject: `${title}, ${days}`,
    text: `${words.join('\n')}\n\nThe lines are in the file.`,
    file: { name: `${report}-${lastDay}.csv`, text: writeCsv(lines) },
  }
}

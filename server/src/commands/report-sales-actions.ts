import { readConfig } from '../config.ts'
import { formatGhs, ghs, type Pesewas } from '../money/pesewas.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { layOutTable } from '../platform/texts-for-people.ts'
import { describeCounted, notCountedYet } from '../reports/counted-days.ts'
import { addDays, dayInAccra, type Period, periodProblem } from '../reports/period.ts'
import { type Grouping, readSales, type SalesReport } from '../reports/read-sales.ts'
import { recountFromRows } from '../reports/roll-up.ts'
import type { SalesFigures } from '../reports/sales-figures.ts'
import { salesTable, viewSales } from '../reports/view/view-sales.ts'
import { UsageError } from './frame/command-error.ts'
import { operatorName } from './frame/operator-name.ts'
import type { OutputFile } from './frame/output-file.ts'
import { printResult } from './frame/print-result.ts'
import { readDay } from './frame/read-options.ts'
import { withDatabase } from './frame/with-database.ts'
import { writeReportFile } from './frame/write-whole-file.ts'

export type ReportSalesOptions = { from?: string; to?: string; by: Grouping; csv?: OutputFile }

const usualDays = 30

/**
 * Reads the days of a report, by default the 30 days that end today or at `--to`.
 * @throws UsageError when one is no day, they are in the wrong order, or a report cannot cover them
 */
export function readDays(options: { from?: string; to?: string }): Period {
  const to = options.to === undefined ? dayInAccra(new Date()) : readDay('--to', options.to)
  const from = options.from === undefined ? addDays(to, 1 - usualDays) : readDay('--from', options.from)
  if (from > to) throw new UsageError('--from must not be after --to.')
  const problem = periodProblem({ from, to })
  if (problem !== undefined) throw new UsageError(problem)
  return { from, to }
}

const money = (amount: Pesewas) => ghs(amount).toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const percent = (part: number | null) => (part === null ? '' : `${(part * 100).toFixed(1)} %`)

/** The name of a line. Where its first days are not counted, also the day from which it is counted. */
export const sinceCounted = (name: string, figures: SalesFigures | null, { countedFrom }: Pick<SalesReport, 'countedFrom'>) =>
  figures?.isPart === true ? `${name} since ${countedFrom ?? ''}` : name

function tableLine(name: string, figures: SalesFigures | null, report: SalesReport): string[] {
  if (figures === null) return [name, '', '', '', '', notCountedYet, '', '', '', '', '']
  const isUnknown = figures.costUnknownOrders > 0
  const sign = isUnknown ? '≥' : figures.costEstimatedPesewas === 0 ? '' : '~'
  return [
    sinceCounted(name, figures, report),
    String(figures.orders),
    percent(figures.successRate),
    figures.medianMinutes?.toFixed(1) ?? '',
    figures.p95Minutes?.toFixed(1) ?? '',
    money(figures.salesPesewas),
    money(figures.refundsPesewas),
    `${sign}${money(figures.costPesewas)}`,
    money(figures.commissionPaidPesewas),
    `${isUnknown ? '≤' : ''}${money(figures.marginPesewas)}`,
    figures.marginPercent === null ? '' : `${figures.marginPercent.toFixed(1)} %`,
  ]
}

/** Explains ≥ and ≤ in a report. */
export const describeUnknownCost = ({ costUnknownOrders }: SalesFigures): string =>
  `≥ Of ${costUnknownOrders} delivered orders and top-ups nobody has entered the cost (\`makola cost list\`): it counts as nothing, so the margin is at most (≤) what is shown.`

/** Describes the sales and the margin of the period before, and compares them with now when both periods are counted. */
function describeBefore({ total, totalBefore, periodBefore: { from, to } }: SalesReport): string {
  const before = `The period before, from ${from} to ${to}`
  if (totalBefore === null) return `${before}, is ${notCountedYet}.`
  const { salesPesewas: sales, marginPesewas: margin } = totalBefore
  const change = total === null || sales === 0 ? null : total.salesPesewas / sales - 1
  const moved = change === null ? '' : ` (now ${change < 0 ? '' : '+'}${percent(change)})`
  const marginNow = total === null ? '' : ` (now ${formatGhs(total.marginPesewas)})`
  return `${before}: sales ${formatGhs(sales)}${moved}, margin ${formatGhs(margin)}${marginNow}.`
}

function remarksOnTotal(total: SalesFigures): string[] {
  return [
    ...(total.commissionEarnedPesewas === 0
      ? []
      : [`Suppliers pay ${formatGhs(total.commissionEarnedPesewas)} commission for it; the cost is less by that.`]),
    ...(total.costEstimatedPesewas === 0
      ? []
      : [`~ ${formatGhs(total.costEstimatedPesewas)} of the cost is what was expected: the suppliers reported none.`]),
    ...(total.costUnknownOrders === 0 ? [] : [describeUnknownCost(total)]),
    ...(total.adjustmentsPesewas === 0
      ? []
      : [`Adjustments by two people came to ${formatGhs(total.adjustmentsPesewas)}; they are not in the margin.`]),
    ...(total.creditsSpent + total.creditsReturned === 0
      ? []
      : [`Campaigns took ${total.creditsSpent} SMS credits, ${total.creditsReturned} went back. Credits are not in GHS here.`]),
  ]
}

/** The remarks below the table: what the reader must know besides the figures. */
function remarksOn(report: SalesReport): string[] {
  return [
    'Sales are what was paid for orders and SMS credits, before refunds.',
    describeBefore(report),
    ...(report.total === null ? [] : remarksOnTotal(report.total)),
    describeCounted(report),
  ]
}

const head = ['', 'orders', 'success', 'median min', 'p95 min', 'sales', 'refunds', 'cost', 'commission', 'margin', '']

function describeReport(report: SalesReport): string {
  const { rows, total, by } = report
  const lines = rows.map((row) => tableLine(row.key, row.figures, report))
  const table = layOutTable([[by, ...head.slice(1)], ...lines, tableLine('total', total, report)])
  return [`Sales from ${report.period.from} to ${report.period.to}, in GHS`, table, '', ...remarksOn(report)].join('\n')
}

export async function runReportSales(options: ReportSalesOptions): Promise<void> {
  const period = readDays(options)
  const report = await withDatabase(readConfig(), (db) => readSales(db, period, options.by))
  const written = await writeReportFile(options.csv, salesTable(report))
  printResult(viewSales(report), `${describeReport(report)}${written}`)
}

export async function runReportRecount(): Promise<void> {
  await withDatabase(readConfig(), (db) => inTransaction(db, (tx) => recountFromRows(tx, operatorName())))
  printResult(
    { recounting: true },
    'The worker counts all days anew, the newest first. Until then reports say of the others that they are not counted yet.',
  )
}

import { readConfig } from '../config.ts'
import { formatGhs } from '../money/pesewas.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { addDays, dayInAccra, type Period, periodProblem } from '../reports/period.ts'
import { type Grouping, readSales, type SalesReport } from '../reports/read-sales.ts'
import { recountFromRows } from '../reports/roll-up.ts'
import type { SalesFigures } from '../reports/sales-figures.ts'
import { salesTable, viewFigures, viewSales } from '../reports/view/view-sales.ts'
import { UsageError } from './frame/command-error.ts'
import { layOutTable } from './frame/lay-out-table.ts'
import { operatorName } from './frame/operator-name.ts'
import type { OutputFile } from './frame/output-file.ts'
import { printResult } from './frame/print-result.ts'
import { readDay } from './frame/read-options.ts'
import { withDatabase } from './frame/with-database.ts'
import { writeReportFile } from './frame/write-out.ts'

export type ReportSalesOptions = { from?: string; to?: string; by: Grouping; csv?: OutputFile }

const usualDays = 30

/** Reads the days of a report; without any, the last 30. @throws UsageError when they stand the wrong way round */
export function readDays(options: { from?: string; to?: string }): Period {
  const to = options.to === undefined ? dayInAccra(new Date()) : readDay('--to', options.to)
  const from = options.from === undefined ? addDays(to, 1 - usualDays) : readDay('--from', options.from)
  if (from > to) throw new UsageError('--from must not be after --to.')
  const problem = periodProblem({ from, to })
  if (problem !== undefined) throw new UsageError(problem)
  return { from, to }
}

const money = (amount: number) => amount.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const percent = (part: number | null) => (part === null ? '' : `${(part * 100).toFixed(1)} %`)

function tableLine(name: string, figures: SalesFigures): string[] {
  const view = viewFigures(figures)
  const sign = view.cost_unknown_orders > 0 ? '≥' : view.cost_estimated === 0 ? '' : '~'
  return [
    name,
    String(view.orders),
    percent(figures.successRate),
    view.median_minutes === null ? '' : view.median_minutes.toFixed(1),
    view.p95_minutes === null ? '' : view.p95_minutes.toFixed(1),
    money(view.sales),
    money(view.refunds),
    `${sign}${money(view.cost)}`,
    money(view.commission),
    `${view.cost_unknown_orders > 0 ? '≤' : ''}${money(view.margin)}`,
    view.margin_percent === null ? '' : `${view.margin_percent.toFixed(1)} %`,
  ]
}

/** What ≥ and ≤ in a report mean. */
export const describeUnknownCost = ({ costUnknownOrders }: SalesFigures): string =>
  `≥ Of ${costUnknownOrders} delivered orders and top-ups nobody has entered the cost (\`makola cost list\`): it counts as nothing, so the margin is at most (≤) what is shown.`

/** The remarks below the table: what the reader must know besides the figures. */
function remarksOn({ total, totalBefore, periodBefore, asOf, countedFrom }: SalesReport): string[] {
  const change = totalBefore.salesPesewas === 0 ? null : total.salesPesewas / totalBefore.salesPesewas - 1
  const sales = `${formatGhs(totalBefore.salesPesewas)}${change === null ? '' : ` (now ${change < 0 ? '' : '+'}${percent(change)})`}`
  const margin = `${formatGhs(totalBefore.marginPesewas)} (now ${formatGhs(total.marginPesewas)})`
  return [
    'Sales are what was paid for orders and SMS credits, before refunds.',
    `The period before, from ${periodBefore.from} to ${periodBefore.to}: sales ${sales}, margin ${margin}.`,
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
    ...(countedFrom === null ? [] : [`Days before ${countedFrom} are still being counted.`]),
    asOf === null ? 'Nothing is counted yet: a worker does it.' : `As of ${asOf.toISOString()}.`,
  ]
}

const head = ['', 'orders', 'success', 'median min', 'p95 min', 'sales', 'refunds', 'cost', 'commission', 'margin', '']

function describeReport(report: SalesReport): string {
  const { rows, total, by } = report
  const lines = rows.map((row) => tableLine(row.key, row.figures))
  const table = layOutTable([[by, ...head.slice(1)], ...lines, tableLine('total', total)])
  return [`Sales from ${report.period.from} to ${report.period.to}, in GHS`, table, '', ...remarksOn(report)].join('\n')
}

/** `makola report sales`. */
export async function runReportSales(options: ReportSalesOptions): Promise<void> {
  const period = readDays(options)
  const report = await withDatabase(readConfig(), (db) => readSales(db, period, options.by))
  const written = await writeReportFile(options.csv, salesTable(report))
  printResult(viewSales(report), `${describeReport(report)}${written}`)
}

/** `makola report recount`. */
export async function runReportRecount(): Promise<void> {
  await withDatabase(readConfig(), (db) => inTransaction(db, (tx) => recountFromRows(tx, operatorName())))
  printResult(
    { recounting: true },
    'The worker counts all days anew, the newest first. Until then reports are without the others.',
  )
}

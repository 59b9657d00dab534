import { readConfig } from '../config.ts'
import { formatGhs, ghs } from '../money/pesewas.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { addDays, dayInAccra, type Period } from '../reports/period.ts'
import { type Grouping, readSales, type SalesReport, type SalesRow } from '../reports/read-sales.ts'
import { recountFromRows } from '../reports/roll-up.ts'
import type { SalesFigures } from '../reports/sales-figures.ts'
import { UsageError } from './frame/command-error.ts'
import { layOutTable } from './frame/lay-out-table.ts'
import { operatorName } from './frame/operator-name.ts'
import { printResult } from './frame/print-result.ts'
import { readDay } from './frame/read-options.ts'
import { withDatabase } from './frame/with-database.ts'
import { writeCsvFile } from './frame/write-csv-file.ts'

export type ReportSalesOptions = { from?: string; to?: string; by: Grouping; csv?: string }

const usualDays = 30

/** Reads the days of a report; without any, the last 30. @throws UsageError when they stand the wrong way round */
export function readDays(options: { from?: string; to?: string }): Period {
  const to = options.to === undefined ? dayInAccra(new Date()) : readDay('--to', options.to)
  const from = options.from === undefined ? addDays(to, 1 - usualDays) : readDay('--from', options.from)
  if (from > to) throw new UsageError('--from must not be after --to.')
  return { from, to }
}

const rounded = (value: number | null, decimals: number) => (value === null ? null : Number(value.toFixed(decimals)))

/** The figures as JSON shows them: GHS as numbers, SMS credits in fields of their own. */
function viewFigures(figures: SalesFigures) {
  return {
    orders: figures.orders,
    success_rate: rounded(figures.successRate, 4),
    median_minutes: rounded(figures.medianMinutes, 2),
    p95_minutes: rounded(figures.p95Minutes, 2),
    sales: ghs(figures.salesPesewas),
    cost: ghs(figures.costPesewas),
    cost_estimated: ghs(figures.costEstimatedPesewas),
    cost_unknown_orders: figures.costUnknownOrders,
    commission: ghs(figures.commissionPaidPesewas),
    commission_earned: ghs(figures.commissionEarnedPesewas),
    refunds: ghs(figures.refundsPesewas),
    margin: ghs(figures.marginPesewas),
    margin_percent: figures.marginPercent,
    adjustments: ghs(figures.adjustmentsPesewas),
    credits: figures.creditsSpent,
    credits_refunded: figures.creditsReturned,
  }
}

type FiguresView = ReturnType<typeof viewFigures>

/** The figures of a line in the period before. */
function viewBefore(before: SalesFigures) {
  const { median_minutes: _median, p95_minutes: _p95, ...view } = viewFigures(before)
  return view
}

function viewRow({ key, account, figures, before }: SalesRow) {
  return {
    key,
    ...(account && { account_id: account.id, account_name: account.name }),
    ...viewFigures(figures),
    ...(before && { before: viewBefore(before) }),
  }
}

function viewReport(report: SalesReport) {
  return {
    ...report.period,
    by: report.by,
    rows: report.rows.map(viewRow),
    total: viewFigures(report.total),
    before: { ...report.periodBefore, total: viewFigures(report.totalBefore) },
    as_of: report.asOf?.toISOString() ?? null,
    counted_from: report.countedFrom,
  }
}

/** The cells of a CSV line. A value that is not known is empty. */
const columns = (view: FiguresView) => Object.values(view).map((value) => value ?? '')

function reportLines(report: SalesReport): (string | number)[][] {
  const head = [report.by, ...Object.keys(viewFigures(report.total))]
  const lines = report.rows.map((row) => [row.key, ...columns(viewFigures(row.figures))])
  return [head, ...lines, ['total', ...columns(viewFigures(report.total))]]
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
    money(view.margin),
    view.margin_percent === null ? '' : `${view.margin_percent.toFixed(1)} %`,
  ]
}

/** The remarks below the table: what the reader must know besides the figures. */
function remarksOn({ total, totalBefore, periodBefore, asOf, countedFrom }: SalesReport): string[] {
  const change = totalBefore.salesPesewas === 0 ? null : total.salesPesewas / totalBefore.salesPesewas - 1
  const sales = `${formatGhs(totalBefore.salesPesewas)}${change === null ? '' : ` (now ${change < 0 ? '' : '+'}${percent(change)})`}`
  const margin = `${formatGhs(totalBefore.marginPesewas)} (now ${formatGhs(total.marginPesewas)})`
  return [
    `The period before, from ${periodBefore.from} to ${periodBefore.to}: sales ${sales}, margin ${margin}.`,
    ...(total.commissionEarnedPesewas === 0
      ? []
      : [`Suppliers pay ${formatGhs(total.commissionEarnedPesewas)} commission for it; the cost is less by that.`]),
    ...(total.costEstimatedPesewas === 0
      ? []
      : [`~ ${formatGhs(total.costEstimatedPesewas)} of the cost is what was expected: the suppliers reported none.`]),
    ...(total.costUnknownOrders === 0
      ? []
      : [`≥ Of ${total.costUnknownOrders} delivered orders nobody knows the cost: it counts as nothing.`]),
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
  const written = await writeCsvFile(options.csv, reportLines(report))
  printResult(viewReport(report), `${describeReport(report)}${written}`)
}

/** `makola report recount`. */
export async function runReportRecount(): Promise<void> {
  await withDatabase(readConfig(), (db) => inTransaction(db, (tx) => recountFromRows(tx, operatorName())))
  printResult(
    { recounting: true },
    'The worker counts all days anew, the newest first. Until then reports are without the others.',
  )
}

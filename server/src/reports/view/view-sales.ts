import { ghs } from '../../money/pesewas.ts'
import type { CsvTable } from '../../platform/write-csv.ts'
import type { SalesReport, SalesRow } from '../read-sales.ts'
import type { SalesFigures } from '../sales-figures.ts'

const rounded = (value: number | null, decimals: number) => (value === null ? null : Number(value.toFixed(decimals)))

/** The figures as JSON shows them: GHS as numbers, SMS credits in fields of their own. */
export function viewFigures(figures: SalesFigures) {
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
    before: viewBefore(before),
  }
}

/** A report of sales as JSON shows it. */
export function viewSales(report: SalesReport) {
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

/** The lines of a report of sales for a file, the total last. */
export function salesTable({ by, rows, total }: SalesReport): CsvTable {
  const totalView = viewFigures(total)
  return {
    columns: [by, ...(Object.keys(totalView) as (keyof typeof totalView)[])],
    rows: [...rows.map(({ key, figures }) => ({ [by]: key, ...viewFigures(figures) })), { [by]: 'total', ...totalView }],
  }
}

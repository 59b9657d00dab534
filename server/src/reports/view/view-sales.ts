import { ghsIfKnown } from '../../money/pesewas.ts'
import type { CsvTable } from '../../platform/write-csv.ts'
import type { Coverage } from '../counted-days.ts'
import type { SalesReport, SalesRow } from '../read-sales.ts'
import type { SalesFigures } from '../sales-figures.ts'

const rounded = (value: number | null, decimals: number) => (value === null ? null : Number(value.toFixed(decimals)))

/** `all`, `part` or `none`: how many of its days a figure covers. */
export const viewCoverage = (figures: Pick<SalesFigures, 'isPart'> | null): Coverage =>
  figures === null ? 'none' : figures.isPart ? 'part' : 'all'

/**
 * The figures as JSON shows them: GHS as numbers, SMS credits in separate fields. All are null when none of the days is
 * counted yet.
 */
export function viewFigures(figures: SalesFigures | null) {
  return {
    orders: figures?.orders ?? null,
    success_rate: rounded(figures?.successRate ?? null, 4),
    median_minutes: rounded(figures?.medianMinutes ?? null, 2),
    p95_minutes: rounded(figures?.p95Minutes ?? null, 2),
    sales: ghsIfKnown(figures?.salesPesewas),
    cost: ghsIfKnown(figures?.costPesewas),
    cost_estimated: ghsIfKnown(figures?.costEstimatedPesewas),
    cost_unknown_orders: figures?.costUnknownOrders ?? null,
    commission: ghsIfKnown(figures?.commissionPaidPesewas),
    commission_earned: ghsIfKnown(figures?.commissionEarnedPesewas),
    refunds: ghsIfKnown(figures?.refundsPesewas),
    margin: ghsIfKnown(figures?.marginPesewas),
    margin_percent: figures?.marginPercent ?? null,
    adjustments: ghsIfKnown(figures?.adjustmentsPesewas),
    credits: figures?.creditsSpent ?? null,
    credits_refunded: figures?.creditsReturned ?? null,
    counted: viewCoverage(figures),
  }
}

function viewBefore(before: SalesFigures | null) {
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

/** Lines of a report of sales for a file, the total last. */
export function salesTable({ by, rows, total }: SalesReport): CsvTable {
  const totalView = viewFigures(total)
  return {
    columns: [by, ...(Object.keys(totalView) as (keyof typeof totalView)[])],
    rows: [...rows.map(({ key, figures }) => ({ [by]: key, ...viewFigures(figures) })), { [by]: 'total', ...totalView }],
  }
}

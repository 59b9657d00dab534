import { type Credits, credits } from '../money/amount.ts'
import { type Pesewas, pesewas } from '../money/pesewas.ts'
import type { Coverage } from './counted-days.ts'
import { type Measure, measures, minutesToDelivery, waitColumns } from './measures.ts'

export type SalesFigures = {
  /** True when some days are not counted yet. The figures then cover only the counted days. */
  readonly isPart: boolean
  readonly orders: number
  /** Share of the ended orders that was delivered. Null when none ended. */
  readonly successRate: number | null
  /** Half of the delivered orders took no longer than this. Null when none was delivered. */
  readonly medianMinutes: number | null
  readonly p95Minutes: number | null
  readonly salesPesewas: Pesewas
  /** Refunded prices. */
  readonly refundsPesewas: Pesewas
  /** The cost of the delivered orders, less the commission that suppliers pay us for them. */
  readonly costPesewas: Pesewas
  /** The part of the cost that no supplier reported, for which the expected cost counts. */
  readonly costEstimatedPesewas: Pesewas
  /** Delivered orders whose cost is not known, or only in part. The unknown part adds nothing to the cost. */
  readonly costUnknownOrders: number
  /** Commission credited to resellers. */
  readonly commissionPaidPesewas: Pesewas
  /** Commission that suppliers pay for the delivered orders. */
  readonly commissionEarnedPesewas: Pesewas
  /** Sales less refunds, cost and the commission paid. */
  readonly marginPesewas: Pesewas
  /** The margin as a percentage of sales less refunds. Null when these are 0 or less. */
  readonly marginPercent: number | null
  /**
   * Adjustments of ended orders, which take two people. Above 0: paid to resellers. Below 0: taken back. Not part of the
   * margin.
   */
  readonly adjustmentsPesewas: Pesewas
  /** SMS credits that campaigns were paid with. They never mix with money. */
  readonly creditsSpent: Credits
  readonly creditsReturned: Credits
}

/** Sums of `daily_figures` by column. */
export type Sums = Readonly<Record<string, number>>

export const noSums: Sums = Object.fromEntries([...measures, ...waitColumns].map((column) => [column, 0]))

/** Percentages are rounded to 2 decimals: to hundredths. */
const hundredths = 100

/** Makes the figures of a report from daily sums. Null when none of the days is counted. */
export function figuresOf(sums: Sums, coverage: Coverage): SalesFigures | null {
  if (coverage === 'none') return null
  const sum = (measure: Measure) => sums[measure] ?? 0
  const waits = waitColumns.map((column) => sums[column] ?? 0)
  const ended = sum('delivered') + sum('failed')
  const netSales = sum('sales') - sum('refunds')
  const margin = netSales - sum('cost') - sum('commission_paid')
  return {
    isPart: coverage === 'part',
    orders: sum('orders'),
    successRate: ended === 0 ? null : sum('delivered') / ended,
    medianMinutes: minutesToDelivery(waits, 0.5),
    p95Minutes: minutesToDelivery(waits, 0.95),
    salesPesewas: pesewas(sum('sales')),
    refundsPesewas: pesewas(sum('refunds')),
    costPesewas: pesewas(sum('cost')),
    costEstimatedPesewas: pesewas(sum('cost_estimated')),
    costUnknownOrders: sum('cost_unknown'),
    commissionPaidPesewas: pesewas(sum('commission_paid')),
    commissionEarnedPesewas: pesewas(sum('commission_earned')),
    marginPesewas: pesewas(margin),
    marginPercent: netSales <= 0 ? null : Math.round((margin / netSales) * 100 * hundredths) / hundredths,
    adjustmentsPesewas: pesewas(sum('adjustments')),
    creditsSpent: credits(sum('credits_spent')),
    creditsReturned: credits(sum('credits_returned')),
  }
}

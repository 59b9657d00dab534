import { type Credits, credits } from '../money/amount.ts'
import { type Pesewas, pesewas } from '../money/pesewas.ts'
import { type Measure, measures, minutesToDelivery, waitColumns } from './measures.ts'

/** What was sold and what came of it, in a time, for whatever is summed up here. */
export type SalesFigures = {
  /** Orders placed. */
  readonly orders: number
  /** Of the orders that ended, the part that was delivered; null when none ended. */
  readonly successRate: number | null
  /** Half of what was delivered took no longer than this; null when nothing was. */
  readonly medianMinutes: number | null
  readonly p95Minutes: number | null
  /** Prices of the orders placed. */
  readonly salesPesewas: Pesewas
  /** What was given back. */
  readonly refundsPesewas: Pesewas
  /** What the orders that were delivered cost, less the commission that suppliers pay for them. */
  readonly costPesewas: Pesewas
  /** The part of the cost that no supplier reported: what was expected when the order was sent. */
  readonly costEstimatedPesewas: Pesewas
  /** Delivered orders whose cost nobody knows; they are in the cost with nothing. */
  readonly costUnknownOrders: number
  /** What resellers were credited. */
  readonly commissionPaidPesewas: Pesewas
  /** What suppliers pay for the delivered orders. */
  readonly commissionEarnedPesewas: Pesewas
  /** Sales less refunds, cost and the commission paid. */
  readonly marginPesewas: Pesewas
  /** Of sales less refunds; null when that is nothing. */
  readonly marginPercent: number | null
  /** What two people gave (above 0) or took back over ended orders. It is not in the margin. */
  readonly adjustmentsPesewas: Pesewas
  /** Campaigns are paid in SMS credits. They never mix with money. */
  readonly creditsSpent: Credits
  readonly creditsReturned: Credits
}

/** Sums of `daily_figures` by column. */
export type Sums = Readonly<Record<string, number>>

/** What a sum of nothing is. */
export const noSums: Sums = Object.fromEntries([...measures, ...waitColumns].map((column) => [column, 0]))

const percentDecimals = 100

/** Makes the figures of a report from sums of daily ones. */
export function figuresOf(sums: Sums): SalesFigures {
  const sum = (measure: Measure) => sums[measure] ?? 0
  const waits = waitColumns.map((column) => sums[column] ?? 0)
  const ended = sum('delivered') + sum('failed')
  const netSales = sum('sales') - sum('refunds')
  const margin = netSales - sum('cost') - sum('commission_paid')
  return {
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
    marginPercent: netSales <= 0 ? null : Math.round((margin / netSales) * 100 * percentDecimals) / percentDecimals,
    adjustmentsPesewas: pesewas(sum('adjustments')),
    creditsSpent: credits(sum('credits_spent')),
    creditsReturned: credits(sum('credits_returned')),
  }
}

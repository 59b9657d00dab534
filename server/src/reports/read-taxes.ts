import { type Pesewas, pesewas } from '../money/pesewas.ts'
import type { Db } from '../platform/database/database.ts'
import { readSetting } from '../platform/settings/settings.ts'
import type { Period } from './period.ts'
import { readSales, type SalesReport } from './read-sales.ts'
import { type TaxBase, type TaxRate, taxRates } from './reports.settings.ts'
import type { SalesFigures } from './sales-figures.ts'

export type Tax = {
  readonly rate: TaxRate
  /** Null, like the tax, when none of the days is counted yet. */
  readonly basePesewas: Pesewas | null
  readonly taxPesewas: Pesewas | null
  /** True when the base is a margin and some costs were not entered: the true base and tax may be lower. */
  readonly isAtMost: boolean
}

export type TaxReport = { readonly taxes: readonly Tax[]; readonly totalPesewas: Pesewas | null; readonly sales: SalesReport }

const baseOf: Readonly<Record<TaxBase, (figures: SalesFigures) => number>> = {
  net_sales: (figures) => figures.salesPesewas - figures.refundsPesewas,
  margin: (figures) => figures.marginPesewas,
  commission_paid: (figures) => figures.commissionPaidPesewas,
  commission_earned: (figures) => figures.commissionEarnedPesewas,
}

/** A percentage has at most 4 decimals, so a hundred percent are a million parts. */
const partsOfPercent = 10_000
const allParts = 100 * partsOfPercent

/** Divides whole numbers of any size and rounds to the nearest, halves away from zero. */
function divideRounded(dividend: bigint, divisor: bigint): number {
  const half = dividend < 0n ? -divisor : divisor
  return Number((2n * dividend + half) / (2n * divisor))
}

/** The tax of a rate on a base, in whole pesewas, rounded once. A base below 0 gives a tax below 0. */
export function taxOn(basePesewas: number, { percent, is_included: isIncluded = false }: TaxRate): Pesewas {
  const parts = Math.round(percent * partsOfPercent)
  return pesewas(divideRounded(BigInt(basePesewas) * BigInt(parts), BigInt(isIncluded ? allParts + parts : allParts)))
}

/** Calculates the operator's rates on the figures of a period, each on its own base. No rate is applied to another tax. */
export async function readTaxes(db: Db, period: Period): Promise<TaxReport> {
  const rates = await readSetting(db, taxRates)
  const sales = await readSales(db, period, 'month')
  const { total } = sales
  if (total === null) {
    const taxes = rates.map((rate) => ({ rate, basePesewas: null, taxPesewas: null, isAtMost: false }))
    return { taxes, totalPesewas: null, sales }
  }
  const taxes = rates.map((rate) => {
    const base = baseOf[rate.on](total)
    const isAtMost = rate.on === 'margin' && total.costUnknownOrders > 0
    return { rate, basePesewas: pesewas(base), taxPesewas: taxOn(base, rate), isAtMost }
  })
  return { taxes, totalPesewas: pesewas(taxes.reduce((sum, { taxPesewas }) => sum + taxPesewas, 0)), sales }
}

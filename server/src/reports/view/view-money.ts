import { viewAmount } from '../../money/amount.ts'
import { ghs, ghsIfKnown, type Pesewas, pesewas } from '../../money/pesewas.ts'
import type { CsvTable } from '../../platform/write-csv.ts'
import type { PurseBalance } from '../read-balances.ts'
import type { FloatReport } from '../read-float.ts'
import type { Tax, TaxReport } from '../read-taxes.ts'
import { viewCoverage } from './view-sales.ts'

/** Days with one decimal, rounded down. */
export const oneDecimal = (days: number | null): number | null => (days === null ? null : Math.floor(days * 10) / 10)

export function viewFloats({ floats, coverage, asOf, countedFrom }: FloatReport) {
  const rows = floats.map((float) => ({
    key: float.supplier,
    enabled: float.isEnabled,
    float: ghsIfKnown(float.floatPesewas),
    read_at: float.readAt?.toISOString() ?? null,
    cost_per_day: ghsIfKnown(float.perDayPesewas),
    days_left: oneDecimal(float.daysLeft),
  }))
  const known = floats.flatMap(({ floatPesewas }) => floatPesewas ?? [])
  const sum = known.length === 0 ? null : pesewas(known.reduce((total, float) => total + float, 0))
  return {
    rows,
    total: { float: ghsIfKnown(sum) },
    counted: coverage,
    as_of: asOf?.toISOString() ?? null,
    counted_from: countedFrom,
  }
}

export function floatTable(report: FloatReport): CsvTable {
  const { counted, rows } = viewFloats(report)
  return {
    columns: ['supplier', 'enabled', 'float', 'read_at', 'cost_per_day', 'days_left', 'counted'],
    rows: rows.map(({ key: supplier, ...view }) => ({ supplier, ...view, counted })),
  }
}

/** Our debt to resellers in money, without SMS credits. */
export function owedIn(balances: readonly PurseBalance[]): Pesewas {
  return pesewas(balances.reduce((sum, { balance }) => sum + (balance.unit === 'pesewas' ? balance.amount : 0), 0))
}

export function viewBalances(balances: readonly PurseBalance[]) {
  const rows = balances.map(({ purse, balance }) => {
    const { amount, unit } = viewAmount(balance)
    return { key: purse, balance: amount, unit }
  })
  return { rows, total: { owed: ghs(owedIn(balances)) } }
}

export function balanceTable(balances: readonly PurseBalance[]): CsvTable {
  const rows = balances.map(({ purse, balance }) => ({ purse, balance, unit: viewAmount(balance).unit }))
  return { columns: ['purse', 'balance', 'unit'], rows }
}

function viewTax({ rate, basePesewas, taxPesewas, isAtMost }: Tax) {
  const { name, percent, on, is_included: isIncluded = false } = rate
  const [base, tax] = [ghsIfKnown(basePesewas), ghsIfKnown(taxPesewas)]
  return { key: name, percent, on, is_included: isIncluded, base, tax, is_at_most: isAtMost }
}

export function viewTaxes({ taxes, totalPesewas, sales }: TaxReport) {
  return {
    ...sales.period,
    rows: taxes.map(viewTax),
    total: {
      tax: ghsIfKnown(totalPesewas),
      is_at_most: taxes.some(({ isAtMost }) => isAtMost),
      counted: viewCoverage(sales.total),
    },
    as_of: sales.asOf?.toISOString() ?? null,
    counted_from: sales.countedFrom,
  }
}

export function taxTable(report: TaxReport): CsvTable {
  const counted = viewCoverage(report.sales.total)
  const rows = report.taxes.map(viewTax).map(({ key: rate, ...view }) => ({ rate, ...view, counted }))
  return { columns: ['rate', 'percent', 'on', 'is_included', 'base', 'tax', 'is_at_most', 'counted'], rows }
}

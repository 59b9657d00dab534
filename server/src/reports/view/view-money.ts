import { viewAmount } from '../../money/amount.ts'
import { ghs, type Pesewas, pesewas } from '../../money/pesewas.ts'
import type { PurseBalance } from '../read-balances.ts'
import type { SupplierFloat } from '../read-float.ts'
import type { Tax, TaxReport } from '../read-taxes.ts'

/** Days as a report shows them, with one decimal. */
export const oneDecimal = (days: number | null): number | null => (days === null ? null : Math.round(days * 10) / 10)

/** What suppliers hold, as JSON shows it; amounts in GHS. */
export function viewFloats(floats: readonly SupplierFloat[]) {
  const rows = floats.map((float) => ({
    key: float.supplier,
    enabled: float.isEnabled,
    float: float.floatPesewas === null ? null : ghs(float.floatPesewas),
    read_at: float.readAt?.toISOString() ?? null,
    cost_per_day: ghs(float.perDayPesewas),
    days_left: oneDecimal(float.daysLeft),
  }))
  const sum = floats.reduce((total, { floatPesewas }) => total + (floatPesewas ?? 0), 0)
  return { rows, total: { float: ghs(pesewas(sum)) } }
}

/** What is owed to resellers in money. SMS credits are not money, so they are not in it. */
export function owedIn(balances: readonly PurseBalance[]): Pesewas {
  return pesewas(balances.reduce((sum, { balance }) => sum + (balance.unit === 'pesewas' ? balance.amount : 0), 0))
}

/** What is owed to resellers, as JSON shows it. */
export function viewBalances(balances: readonly PurseBalance[]) {
  const rows = balances.map(({ purse, balance }) => {
    const { amount, unit } = viewAmount(balance)
    return { key: purse, balance: amount, unit }
  })
  return { rows, total: { owed: ghs(owedIn(balances)) } }
}

function viewTax({ rate, basePesewas, taxPesewas }: Tax) {
  const { name, percent, on, is_included: isIncluded = false } = rate
  return { key: name, percent, on, is_included: isIncluded, base: ghs(basePesewas), tax: ghs(taxPesewas) }
}

/** What the rates of a period come to, as JSON shows it; amounts in GHS. */
export function viewTaxes({ taxes, totalPesewas, sales }: TaxReport) {
  return {
    ...sales.period,
    rows: taxes.map(viewTax),
    total: { tax: ghs(totalPesewas) },
    as_of: sales.asOf?.toISOString() ?? null,
    counted_from: sales.countedFrom,
  }
}

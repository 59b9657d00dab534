import type { CommissionTerms } from './commission-terms.ts'
import { type Pesewas, pesewas } from './pesewas.ts'

/** A commission and its two shares. `caller` plus `platform` is exactly `base`. */
export type CommissionSplit = {
  readonly base: Pesewas
  readonly caller: Pesewas
  readonly platform: Pesewas
  /** `reported`: the supplier reported the base. `rate`: it was computed from the rate. */
  readonly source: 'reported' | 'rate'
}

const whole = 10_000

/** A part of an amount, rounded down to the pesewa: the remainder stays with the platform (decision S7). */
export function partOf(amount: Pesewas, basisPoints: number): Pesewas {
  return pesewas(Math.floor((amount * basisPoints) / whole))
}

/**
 * Divides the commission of an order (decision S6: how commission is shared). The base is the supplier's report, else the
 * amount times the rate of the order's terms. A report below zero or above the order's amount cannot be right, so the rate
 * is used instead, and the reconciliation shows the difference.
 */
export function splitCommission(amountPesewas: Pesewas, reportedPesewas: number | null, terms: CommissionTerms): CommissionSplit {
  const isCredible = reportedPesewas !== null && reportedPesewas >= 0 && reportedPesewas <= amountPesewas
  const base = isCredible ? pesewas(reportedPesewas) : partOf(amountPesewas, terms.rateBasisPoints)
  const caller = partOf(base, terms.shareBasisPoints)
  return { base, caller, platform: pesewas(base - caller), source: isCredible ? 'reported' : 'rate' }
}

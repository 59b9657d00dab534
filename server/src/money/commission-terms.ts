import Type, { type Static } from 'typebox'
import { Compile } from 'typebox/compile'
import { type Pesewas, pesewas } from './pesewas.ts'

/**
 * The terms of an order's commission, fixed when it was placed (decisions S6: how commission is shared; S9: role and state
 * as they are under the lock), and kept in the order's `details` under `commission`. In basis points: 100 are one percent.
 */
export const CommissionTerms = Type.Object({
  /** The part of the amount that the supplier is expected to pay us, used when the supplier does not report it. */
  rateBasisPoints: Type.Integer(),
  /** The order account's share of that commission; 0 when the account earns nothing. */
  shareBasisPoints: Type.Integer(),
})

export type CommissionTerms = Static<typeof CommissionTerms>

const terms = Compile(CommissionTerms)

/** The terms in an order's details; undefined for products without commission. @throws Error when they have another shape */
export function commissionTermsOf({ commission }: Readonly<Record<string, unknown>>): CommissionTerms | undefined {
  if (commission === undefined) return undefined
  if (!terms.Check(commission)) throw new Error(`these are not the terms of a commission: ${JSON.stringify(commission)}`)
  return commission
}

/** A commission and its two shares. `caller` plus `platform` is exactly `base`. */
type CommissionSplit = {
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

import { type Pesewas, pesewas } from '../pesewas.ts'

/** The amount that the wallet gets, the fee, and their sum. All in whole pesewas. */
export type TopUpQuote = { readonly amount: Pesewas; readonly fee: Pesewas; readonly charged: Pesewas }

const whole = 10_000

/**
 * Calculates the payer's charge so that the wallet gets `amount`. Where the payer bears the gateway's fee, the gateway
 * keeps its share of the whole charge, so the charge is the smallest that leaves at least the amount.
 *
 * @param feePoints the gateway's share in basis points: 195 is 1.95 %
 */
export function quoteTopUp(amount: Pesewas, feePoints: number, feeIsPaidBy: 'reseller' | 'operator'): TopUpQuote {
  if (feeIsPaidBy === 'operator' || feePoints === 0) return { amount, fee: pesewas(0), charged: amount }
  const charged = pesewas(Math.ceil((amount * whole) / (whole - feePoints)))
  return { amount, fee: pesewas(charged - amount), charged }
}

import type { AccountPurse } from './money.tables.ts'
import { formatGhs, ghs, type Pesewas, pesewas, type unit, type WithoutUnit } from './pesewas.ts'

/** A number of whole SMS credits. They are bought for money, but are never converted into money. */
export type Credits = number & { readonly [unit]: 'credits' }

/** @throws RangeError when it is not a safe integer */
export function credits(amount: WithoutUnit<'credits'>): Credits {
  if (!Number.isSafeInteger(amount)) throw new RangeError(`not a whole number of credits: ${amount}`)
  return amount as number as Credits
}

export type Amount =
  | { readonly unit: 'pesewas'; readonly amount: Pesewas }
  | { readonly unit: 'credits'; readonly amount: Credits }

export function unitOfPurse(purse: AccountPurse): Amount['unit'] {
  return purse === 'sms_credits' ? 'credits' : 'pesewas'
}

export function amountIn(unit: Amount['unit'], amount: number): Amount {
  return unit === 'credits' ? { unit, amount: credits(amount) } : { unit, amount: pesewas(amount) }
}

/** Formats for people: `GHS 100.00`, `1000 SMS credits`. */
export function formatAmount(amount: Amount): string {
  if (amount.unit === 'pesewas') return formatGhs(amount.amount)
  return `${amount.amount} SMS ${amount.amount === 1 ? 'credit' : 'credits'}`
}

/** Formats for programs: GHS with at most 2 decimals, or whole credits, with the unit. */
export function viewAmount(amount: Amount): { readonly amount: number; readonly unit: 'GHS' | 'credits' } {
  if (amount.unit === 'pesewas') return { amount: ghs(amount.amount), unit: 'GHS' }
  return { amount: amount.amount, unit: 'credits' }
}

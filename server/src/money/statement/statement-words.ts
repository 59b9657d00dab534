import { amountIn, formatAmount, unitOfPurse } from '../amount.ts'
import type { AccountPurse, TransferKind } from '../money.tables.ts'

export const entryWords: Readonly<Record<TransferKind, string>> = {
  purchase: 'Purchase',
  refund: 'Refund',
  commission: 'Commission',
  commission_move: 'Commission moved',
  credit: 'Credit',
  correction: 'Correction',
  adjustment: 'Adjustment',
  sms_credit: 'SMS credits bought',
  sms_refund: 'Texts refunded',
  credits_paid: 'SMS credits bought',
  credits_bought: 'SMS credits bought',
  top_up: 'Top-up',
}

export const purseWords: Readonly<Record<AccountPurse, string>> = {
  main: 'Main wallet',
  commission: 'Commission Wallet',
  sms_credits: 'SMS credits',
}

/** Formats an amount with its unit: `GHS 1,234.50`, `12 SMS credits`. */
export function amountInWords(purse: AccountPurse, amount: number): string {
  return formatAmount(amountIn(unitOfPurse(purse), amount))
}

/** Formats an amount without its unit: `1234.50`, or whole credits. */
export function amountInColumn(purse: AccountPurse, amount: number): string {
  if (unitOfPurse(purse) === 'credits') return String(amount)
  const absolute = Math.abs(amount)
  return `${amount < 0 ? '-' : ''}${Math.floor(absolute / 100)}.${String(absolute % 100).padStart(2, '0')}`
}

/** A moment in Accra, whose time is UTC, to the second. */
export function momentInAccra(at: Date): string {
  return at.toISOString().slice(0, 19).replace('T', ' ')
}

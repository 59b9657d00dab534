import { formatCount, formatGhs } from '../../both/money/format-ghs.ts'

/** An amount of a purse: `GHS 18.50`, or a number of credits. */
export function showAmount(unit: 'GHS' | 'credits', amount: number): string {
  if (unit === 'GHS') return formatGhs(amount)
  return `${amount < 0 ? '−' : ''}${formatCount(Math.abs(amount))}`
}

/** Formats an amount like `showAmount`, with a plus before money that came in. */
export function showChange(unit: 'GHS' | 'credits', amount: number): string {
  return `${amount > 0 ? '+' : ''}${showAmount(unit, amount)}`
}

import { sharedWords } from '../words.ts'

/** A price in its unit: `GHS 18.50`, or whole SMS credits. */
export function showPrice({ price, unit }: { readonly price: number; readonly unit: 'GHS' | 'credits' }): string {
  return unit === 'GHS' ? formatGhs(price) : `${formatCount(price)} ${price === 1 ? 'credit' : 'credits'}`
}

const format = new Intl.NumberFormat('en-GH', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** An amount in GHS as people read it: `GHS 1,234.50`, with the minus before the currency. */
export function formatGhs(ghs: number): string {
  return `${ghs < 0 ? '−' : ''}GHS ${format.format(Math.abs(ghs))}`
}

/**
 * An amount that may be unknown.
 * @param unknown the words for null; by default those for days that are not counted yet
 */
export function formatCounted(ghs: number | null, unknown: string = sharedWords.notCounted): string {
  return ghs === null ? unknown : formatGhs(ghs)
}

/** A cost that may have parts of a pesewa: `GHS 0.0255`. It has two decimals at least. */
export function formatUnitCost(ghs: number): string {
  return Number.isInteger(Math.round(ghs * 1e6) / 1e4) ? formatGhs(ghs) : `GHS ${ghs}`
}

/** A count as people read it: `1,234`. */
export function formatCount(count: number): string {
  return new Intl.NumberFormat('en-GH').format(count)
}

/** Whole pesewas of an amount in GHS, for adding up without rounding errors. */
export function pesewasOf(ghs: number): number {
  return Math.round(ghs * 100)
}

export function ghsOf(pesewas: number): number {
  return pesewas / 100
}

/** A text of the server, with its amounts written as everywhere on the screens: `GHS 5311.10` becomes `GHS 5,311.10`. */
export function showAmounts(text: string): string {
  return text.replaceAll(/GHS (-?\d+\.\d\d)\b/g, (_all, amount: string) => formatGhs(Number(amount)))
}

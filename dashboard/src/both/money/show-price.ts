import { formatCount, formatGhs } from './format-ghs.ts'

/** A price in its unit: `GHS 18.50`, or whole SMS credits. */
export function showPrice({ price, unit }: { readonly price: number; readonly unit: 'GHS' | 'credits' }): string {
  return unit === 'GHS' ? formatGhs(price) : `${formatCount(price)} ${price === 1 ? 'credit' : 'credits'}`
}

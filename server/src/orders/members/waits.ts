import type { ProductFacts } from '../product-facts.ts'
import { isManualRoute } from '../routes-without-suppliers.ts'

/** The reason of an open order's wait, as its owner may see it. */
export type Wait = 'registration' | 'answer' | 'supplier' | 'person'

/**
 * Finds why an open order makes no progress. Null: it makes progress, or has ended. Every other reason, also a mistake of ours,
 * is shown as `supplier`.
 */
export function waitOf({
  route,
  holdReason,
}: {
  readonly route: string | null
  readonly holdReason: string | null
}): Wait | null {
  if (route === null) return null
  if (isManualRoute(route)) return 'person'
  if (holdReason === null) return null
  if (holdReason === 'not_registered') return 'registration'
  if (holdReason === 'no_definitive_answer' || holdReason === 'cannot_ask') return 'answer'
  return 'supplier'
}

const hourMilliseconds = 3_600_000
/** An open order counts as slow when it was placed longer ago than this. */
const slowMilliseconds = hourMilliseconds
/** Orders that were placed earlier than this are left to the list of all orders. */
const slowMillisecondsMax = 3 * 24 * hourMilliseconds

/**
 * Describes the orders that are slow: open ones of these kinds, placed from `from` to `to`. People take days for a
 * registration, and an SMS may be scheduled for later, so only the orders of suppliers and of our own stock can be slow.
 */
export function slowOrders(products: readonly Pick<ProductFacts, 'name' | 'fulfilledBy'>[], now: Date) {
  return {
    kinds: products.filter(({ fulfilledBy }) => fulfilledBy === 'suppliers' || fulfilledBy === 'stock').map(({ name }) => name),
    from: new Date(now.getTime() - slowMillisecondsMax),
    to: new Date(now.getTime() - slowMilliseconds),
  }
}

import type { Settings } from '../../platform/settings/settings.ts'
import { type ProductFacts, productOf } from '../product-facts.ts'

/** Whether a failed order of this kind is refunded at once (decision S2), or waits for a person. */
export async function refundsAutomatically(
  settings: Settings,
  products: readonly ProductFacts[],
  kind: string,
): Promise<boolean> {
  const { refundsFailedOrders } = productOf(products, kind)
  return refundsFailedOrders === 'always' || settings.read(refundsFailedOrders)
}

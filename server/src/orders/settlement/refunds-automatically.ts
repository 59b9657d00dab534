import type { Settings } from '../../platform/settings/settings.ts'
import type { ProductFacts } from '../product-facts.ts'

/** Whether a failed order of this product is refunded at once (decision S2), or waits for a person. */
export async function refundsAutomatically(settings: Settings, { refundsFailedOrders }: ProductFacts): Promise<boolean> {
  return refundsFailedOrders === 'always' || settings.read(refundsFailedOrders)
}

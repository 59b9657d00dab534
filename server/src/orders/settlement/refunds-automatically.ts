import type { Settings } from '../../platform/settings/settings.ts'
import type { ProductFacts } from '../product-facts.ts'

/** True when a failed order of this product is refunded at once (decision S2). Else it waits for a person. */
export async function refundsAutomatically(settings: Settings, { refundsFailedOrders }: ProductFacts): Promise<boolean> {
  return refundsFailedOrders === 'always' || settings.read(refundsFailedOrders)
}

import type { Settings } from '../../platform/settings/settings.ts'
import { dataAutoRefund } from '../orders.settings.ts'

/** Whether a failed order of this kind is refunded at once (decision S2), or waits for a person. */
export async function refundsAutomatically(settings: Settings, kind: string): Promise<boolean> {
  return kind === 'data' ? settings.read(dataAutoRefund) : true
}

import type { Schema } from '../../both/api/call-api.ts'
import { useRead } from '../../both/api/use-read.ts'

export type Campaign = Schema<'SmsAppCampaign'>

/** The credits, the wallet, and the price of credits. */
export const useSms = () => useRead('sms', '/app/api/sms')
export const useSenders = () => useRead('sms', '/app/api/sms/senders')
export const useLists = () => useRead('sms', '/app/api/sms/lists')
export const useDrafts = () => useRead('sms', '/app/api/sms/drafts')

/** True while the state or the counts of a campaign may change at any moment. Screens read such a campaign again and again. */
export function isMoving({ state, delivery }: Campaign): boolean {
  return ['queued', 'sending', 'paused', 'cancelling'].includes(state) || (delivery['sent'] ?? 0) > 0
}

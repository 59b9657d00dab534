/** States of a campaign (contract, SMS campaign). */
export const campaignStatuses = ['queued', 'processing', 'completed', 'failed', 'blocked'] as const
export type CampaignStatus = (typeof campaignStatuses)[number]

/** States of a message (contract, SMS message). */
export const messageStatuses = ['queued', 'sent', 'delivered', 'undelivered', 'failed', 'expired', 'rejected'] as const
export type MessageStatus = (typeof messageStatuses)[number]

/** Origin of a campaign (decision F7). */
export const campaignSources = ['api', 'dashboard'] as const
export type CampaignSource = (typeof campaignSources)[number]

/** The most recipients of an unscheduled campaign whose results are in the answer to its program (contract, Limits). */
export const immediateRecipientsMax = 500

/** The party that cancelled a campaign: its account, the operator, or the worker when the campaign became due. */
export const cancellers = ['account', 'operator', 'platform'] as const
export type Canceller = (typeof cancellers)[number]

/** The reason of a message that was cancelled before a link had it. */
export const cancelledReason = 'cancelled before it was handed over'

/** The reason of a message that was not sent, because the name to fill in was deleted. */
export const nameGoneReason = 'not sent: the name for its text is gone'

/** The reason of a message whose number opted out after the campaign was placed and before it began. */
export const optedOutReason = 'not sent: the number has opted out'

/** The states of messages that did not arrive, as the app names them. */
export const failedStateTitles: Partial<Readonly<Record<MessageStatus, string>>> = {
  undelivered: 'Not delivered',
  failed: 'Refused',
  expired: 'Not reached in time',
  rejected: 'Rejected',
}
/** The app's names for the state of a message that was not sent, by who cancelled its campaign. */
export const cancelledTitles: Readonly<Record<Canceller, string>> = {
  account: 'Not sent, you cancelled',
  operator: 'Not sent, we cancelled',
  platform: 'Not sent, cancelled',
}

/** States of a campaign (contract, SMS campaign). */
export const campaignStatuses = ['queued', 'processing', 'completed', 'failed', 'blocked'] as const
export type CampaignStatus = (typeof campaignStatuses)[number]

/** States of a message (contract, SMS message). */
export const messageStatuses = ['queued', 'sent', 'delivered', 'undelivered', 'failed', 'expired', 'rejected'] as const
export type MessageStatus = (typeof messageStatuses)[number]

/** Where a campaign was made (decision F7). */
export const campaignSources = ['api', 'dashboard'] as const
export type CampaignSource = (typeof campaignSources)[number]

/**
 * A program's campaign of at most this many recipients is answered with its results, unless it is scheduled (contract,
 * Limits).
 */
export const immediateRecipientsMax = 500

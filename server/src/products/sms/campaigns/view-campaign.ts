import type { CampaignRow } from './list-campaigns.ts'
import type { MessageRow } from './list-messages.ts'
import type { CampaignFigures } from './read-campaign.ts'

/** A campaign as it was just after it was placed. */
export function asQueued(campaign: CampaignFigures): CampaignFigures {
  return { ...campaign, status: 'queued', delivery: { queued: campaign.recipientsCount } }
}

/** The answer to a send (contract, POST /sms/send): each message is queued, refused or sent. */
export function viewSent(campaign: CampaignFigures, balance: number) {
  const { queued = 0, failed = 0 } = campaign.delivery
  return {
    campaignId: campaign.id,
    status: campaign.status,
    recipients: campaign.recipientsCount,
    segments: campaign.segments,
    creditsCharged: campaign.creditsCharged,
    sender: campaign.sender,
    sent: campaign.recipientsCount - queued - failed,
    failed,
    balance,
  }
}

export function viewCampaign(campaign: CampaignFigures) {
  return {
    id: campaign.id,
    sender_used: campaign.sender,
    recipients_count: campaign.recipientsCount,
    segments: campaign.segments,
    credits_charged: campaign.creditsCharged,
    status: campaign.status,
    created_at: campaign.createdAt.toISOString(),
  }
}

export function viewListedCampaign({ sender, scheduled_at, created_at, ...row }: CampaignRow) {
  return {
    ...row,
    sender_used: sender,
    scheduled_at: scheduled_at?.toISOString() ?? null,
    created_at: created_at.toISOString(),
  }
}

export function viewMessage({ recipient, status, status_updated_at }: MessageRow) {
  return { recipient, status, status_updated_at: status_updated_at.toISOString() }
}

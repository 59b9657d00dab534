import { type Refusals, refuse } from '../../platform/http/refusals.ts'

/** Why a campaign is not sent, or not found. */
export const smsRefusals = {
  insufficientCredits: refuse(402, 'insufficient_credits', 'Insufficient SMS credits. Nothing was charged.'),
  businessAccountNeeded: refuse(
    403,
    'business_account_needed',
    'SMS needs a business account that was approved. Contact support.',
  ),
  senderNotApproved: refuse(
    400,
    'sender_not_approved',
    'sender must be one of your approved sender IDs or a pool sender; see GET /sms/senders. Nothing was sent or charged.',
  ),
  contentBlocked: refuse(
    400,
    'content_blocked',
    'This text looks like a transaction message of a telecom and is blocked by the content policy. Nothing was sent or charged.',
  ),
  campaignNotFound: refuse(404, 'campaign_not_found', 'No SMS campaign was found for this id.'),
} as const satisfies Refusals

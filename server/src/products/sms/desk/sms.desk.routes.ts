import { readAccount } from '../../../accounts/find-account.ts'
import type { Db } from '../../../platform/database/database.ts'
import type { Api } from '../../../platform/http/api.ts'
import { Envelope, ok } from '../../../platform/http/envelope.ts'
import { RefusalError } from '../../../platform/http/refusals.ts'
import type { Settings } from '../../../platform/settings/settings.ts'
import { type CampaignAction, cancelCampaign, pauseCampaign } from '../link/cancel-campaign.ts'
import { smsRefusals } from '../sms.refusals.ts'
import { smsContentRules, smsReceiptScore } from '../sms.settings.ts'
import { describeText } from '../text/describe-text.ts'
import { findBlockingRule } from '../text/find-blocking-rule.ts'
import { scoreReceipt } from '../text/score-receipt.ts'
import {
  type DeskCampaign,
  deskCampaignsPerPage,
  deskMessagesPerPage,
  findDeskCampaign,
  listDeskCampaigns,
  listDeskMessages,
} from './list-desk-campaigns.ts'
import { registerSenderDeskRoutes } from './senders.desk.routes.ts'
import {
  DeskCampaignPath,
  DeskCampaignQuery,
  DeskCampaigns,
  DeskCampaignView,
  DeskMessageQuery,
  DeskMessages,
  DeskTextBody,
  DeskTextCheck,
  StopBody,
} from './sms-desk.schemas.ts'

const tags = ['SMS']

export type SmsDeskDeps = { readonly db: Db; readonly settings: Settings }

function viewCampaign(campaign: DeskCampaign) {
  return {
    campaign_id: campaign.id,
    account_id: campaign.accountId,
    account: campaign.account,
    account_name: campaign.accountName,
    state: campaign.state,
    message: campaign.message,
    sender: campaign.sender,
    source: campaign.source,
    segments: campaign.segments,
    recipients: campaign.recipients,
    credits_charged: campaign.creditsCharged,
    credits_refunded: campaign.creditsRefunded,
    blocked_by: campaign.blockedBy,
    paused_by: campaign.pausedBy,
    is_paused_by_operator: campaign.isPausedByOperator,
    cancelled_by: campaign.cancelledBy,
    cancel_reason: campaign.cancelReason,
    scheduled_at: campaign.scheduledAt?.toISOString() ?? null,
    created_at: campaign.createdAt.toISOString(),
    settled_at: campaign.settledAt?.toISOString() ?? null,
    delivery: campaign.delivery ?? {},
  }
}

async function mustFind(db: Db, id: string): Promise<DeskCampaign> {
  const campaign = await findDeskCampaign(db, id)
  if (!campaign) throw new RefusalError(smsRefusals.campaignNotFound)
  return campaign
}

export function registerSmsDeskRoutes(desk: Api, deps: SmsDeskDeps): void {
  registerLists(desk, deps)
  registerMessages(desk, deps)
  registerMoves(desk, deps)
  registerTextCheck(desk, deps)
  registerSenderDeskRoutes(desk, deps)
}

function registerLists(desk: Api, { db }: SmsDeskDeps): void {
  desk.get(
    '/sms/campaigns',
    {
      config: { permission: 'see', refusals: [409] },
      schema: {
        operationId: 'deskListCampaigns',
        tags,
        summary: 'SMS campaigns of all accounts, newest first',
        querystring: DeskCampaignQuery,
        response: { 200: Envelope(DeskCampaigns) },
      },
    },
    async ({ query: { account, group, before } }) => {
      const accountId = account === undefined ? undefined : (await readAccount(db, account)).accountId
      const campaigns = await listDeskCampaigns(db, { accountId, group, before })
      const next = campaigns.length < deskCampaignsPerPage ? null : (campaigns.at(-1)?.id ?? null)
      return ok({ campaigns: campaigns.map(viewCampaign), next })
    },
  )
  desk.get(
    '/sms/campaigns/:campaign_id',
    {
      config: { permission: 'see', refusals: [smsRefusals.campaignNotFound] },
      schema: {
        operationId: 'deskReadCampaign',
        tags,
        summary: 'One campaign, and how far it is',
        params: DeskCampaignPath,
        response: { 200: Envelope(DeskCampaignView) },
      },
    },
    async ({ params }) => ok(viewCampaign(await mustFind(db, params.campaign_id))),
  )
}

function registerMessages(desk: Api, { db }: SmsDeskDeps): void {
  desk.get(
    '/sms/campaigns/:campaign_id/messages',
    {
      config: { permission: 'see' },
      schema: {
        operationId: 'deskListMessages',
        tags,
        summary: 'The messages of a campaign in the order of its recipients; none before it has begun',
        params: DeskCampaignPath,
        querystring: DeskMessageQuery,
        response: { 200: Envelope(DeskMessages) },
      },
    },
    async ({ params, query }) => {
      const messages = await listDeskMessages(db, params.campaign_id, query)
      return ok({
        messages: messages.map(({ n, recipient, status, supplier, reason, updatedAt }) => ({
          n,
          number: `0${recipient.slice(3)}`,
          status,
          supplier,
          reason,
          updated_at: updatedAt.toISOString(),
        })),
        next: messages.length < deskMessagesPerPage ? null : (messages.at(-1)?.n ?? null),
      })
    },
  )
}

/** Actions of the operator on a campaign that has not ended. */
const moves = [
  {
    path: 'pause',
    operationId: 'deskPauseCampaign',
    summary: 'Hand over no further message until the operator resumes it',
    make: (db: Db, action: CampaignAction) => pauseCampaign(db, action, true),
  },
  {
    path: 'resume',
    operationId: 'deskResumeCampaign',
    summary: 'Go on with a paused campaign',
    make: (db: Db, action: CampaignAction) => pauseCampaign(db, action, false),
  },
  {
    path: 'cancel',
    operationId: 'deskCancelCampaign',
    summary: 'Cancel what has not left; its credits come back',
    make: cancelCampaign,
  },
] as const

function registerMoves(desk: Api, { db }: SmsDeskDeps): void {
  for (const { path, operationId, summary, make } of moves) {
    desk.post(
      `/sms/campaigns/:campaign_id/${path}`,
      {
        config: { permission: 'manage_accounts', refusals: [smsRefusals.campaignNotFound, smsRefusals.campaignEnded] },
        schema: {
          operationId,
          tags,
          summary,
          params: DeskCampaignPath,
          body: StopBody,
          response: { 200: Envelope(DeskCampaignView) },
        },
      },
      async ({ params, body, staff }) => {
        const { id: campaignId, accountId } = await mustFind(db, params.campaign_id)
        staff.mustNotOwn(accountId)
        await make(db, { campaignId, accountId, actor: staff.actor, operatorReason: body.reason.trim() })
        return ok(viewCampaign(await mustFind(db, campaignId)))
      },
    )
  }
}

function registerTextCheck(desk: Api, { settings }: SmsDeskDeps): void {
  desk.post(
    '/sms/check-text',
    {
      config: { isHeavy: true, changesNothing: true, permission: 'see' },
      schema: {
        operationId: 'deskCheckText',
        tags,
        summary: 'What the content policy says of a text',
        body: DeskTextBody,
        response: { 200: Envelope(DeskTextCheck) },
      },
    },
    async ({ body: { message } }) => {
      const [rules, receiptScoreMin] = await Promise.all([settings.read(smsContentRules), settings.read(smsReceiptScore)])
      const { encoding, segments, blockedBecause } = await describeText(settings, message)
      return ok({
        encoding,
        segments,
        blocked_by: findBlockingRule(message, { rules, receiptScoreMin }) ?? null,
        blocked_because: blockedBecause ?? null,
        receipt_score: scoreReceipt(message),
        receipt_score_min: receiptScoreMin,
      })
    },
  )
}

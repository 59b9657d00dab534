import Type from 'typebox'
import { Envelope, ok } from '../../../platform/http/envelope.ts'
import { RefusalError } from '../../../platform/http/refusals.ts'
import type { Api } from '../../../platform/http/route-types.ts'
import { listMessages, messagesPerPage } from '../campaigns/list-messages.ts'
import { findCampaign } from '../campaigns/read-campaign.ts'
import type { SmsDeps } from '../campaigns/send-campaign.ts'
import { type CampaignAction, cancelCampaign, pauseCampaign } from '../link/cancel-campaign.ts'
import { smsRefusals } from '../sms.refusals.ts'
import {
  type AccountCampaign,
  accountCampaignsPerPage,
  findAccountCampaign,
  listAccountCampaigns,
  writeFailuresCsv,
} from './list-account-campaigns.ts'
import { AppCampaign, AppCampaignQuery, AppCampaigns, AppMessageQuery, AppMessages, CampaignPath } from './sms-member.schemas.ts'

const tags = ['SMS']
const refusals = [smsRefusals.campaignNotFound]

function viewAccountCampaign({
  id,
  recipients_count,
  scheduled_at,
  waits_until,
  created_at,
  settled_at,
  delivery,
  ...campaign
}: AccountCampaign) {
  return {
    ...campaign,
    campaign_id: id,
    recipients: recipients_count,
    scheduled_at: scheduled_at?.toISOString() ?? null,
    waits_until: waits_until?.toISOString() ?? null,
    created_at: created_at.toISOString(),
    settled_at: settled_at?.toISOString() ?? null,
    delivery: delivery ?? {},
  }
}

async function readForView({ db }: SmsDeps, accountId: string, campaignId: string) {
  const campaign = await findAccountCampaign(db, accountId, campaignId)
  if (!campaign) throw new RefusalError(smsRefusals.campaignNotFound)
  return viewAccountCampaign(campaign)
}

export function registerCampaignMemberRoutes(app: Api, deps: SmsDeps): void {
  registerLists(app, deps)
  registerMessages(app, deps)
  registerMoves(app, deps)
}

function registerLists(app: Api, deps: SmsDeps): void {
  app.get(
    '/sms/campaigns',
    {
      config: { permission: 'look' },
      schema: {
        operationId: 'listSmsAppCampaigns',
        tags,
        summary: 'Campaigns, newest first',
        querystring: AppCampaignQuery,
        response: { 200: Envelope(AppCampaigns) },
      },
    },
    async ({ query, membership }) => {
      const campaigns = await listAccountCampaigns(deps.db, membership.accountId, query)
      const next = campaigns.length < accountCampaignsPerPage ? null : (campaigns.at(-1)?.id ?? null)
      return ok({ campaigns: campaigns.map(viewAccountCampaign), next })
    },
  )
  app.get(
    '/sms/campaigns/:campaign_id',
    {
      config: { permission: 'look', refusals },
      schema: {
        operationId: 'readSmsAppCampaign',
        tags,
        summary: 'One campaign, and how far it is',
        params: CampaignPath,
        response: { 200: Envelope(AppCampaign) },
      },
    },
    async ({ params, membership }) => ok(await readForView(deps, membership.accountId, params.campaignId)),
  )
}

function registerMessages(app: Api, deps: SmsDeps): void {
  app.get(
    '/sms/campaigns/:campaign_id/messages',
    {
      config: { permission: 'look', refusals },
      schema: {
        operationId: 'listSmsAppMessages',
        tags,
        summary: 'The messages of a campaign, 100 to a page',
        params: CampaignPath,
        querystring: AppMessageQuery,
        response: { 200: Envelope(AppMessages) },
      },
    },
    async ({ params, query: { page = 0, status }, membership }) => {
      const campaign = await findCampaign(deps.db, membership.accountId, params.campaignId)
      if (!campaign) throw new RefusalError(smsRefusals.campaignNotFound)
      const messages = await listMessages(deps.db, campaign, { page, status })
      return ok({
        messages: messages.map(({ recipient, status, status_updated_at, is_cancelled }) => ({
          number: `0${recipient.slice(3)}`,
          status,
          updatedAt: status_updated_at,
          isCancelled: is_cancelled,
        })),
        hasMore: messages.length === messagesPerPage,
      })
    },
  )
  app.get(
    '/sms/campaigns/:campaign_id/failures.csv',
    {
      config: { exportedAs: 'failures export', permission: 'look', refusals },
      schema: {
        operationId: 'exportSmsFailures',
        tags,
        summary: 'The messages that did not arrive, as CSV',
        params: CampaignPath,
        response: { 200: { content: { 'text/csv': { schema: Type.String() } } } },
      },
    },
    async ({ params, membership }, reply) => {
      const { campaign_id, cancelled_by } = await readForView(deps, membership.accountId, params.campaignId)
      reply.type('text/csv; charset=utf-8').header('content-disposition', `attachment; filename="failures-${campaign_id}.csv"`)
      return reply.send(await writeFailuresCsv(deps.db, { campaignId: campaign_id, cancelledBy: cancelled_by }))
    },
  )
}

/** Actions of a person on a campaign that has not ended. */
const moves = [
  {
    path: 'cancel',
    operationId: 'cancelSmsCampaign',
    summary: 'Cancel what has not left; its credits come back',
    refusals: [smsRefusals.campaignEnded],
    make: ({ db }: SmsDeps, action: CampaignAction) => cancelCampaign(db, action),
  },
  {
    path: 'pause',
    operationId: 'pauseSmsCampaign',
    summary: 'Hand over no further message until it is resumed',
    refusals: [smsRefusals.campaignNotRunning],
    make: ({ db }: SmsDeps, action: CampaignAction) => pauseCampaign(db, action, true),
  },
  {
    path: 'resume',
    operationId: 'resumeSmsCampaign',
    summary: 'Go on with a paused campaign',
    refusals: [smsRefusals.campaignNotRunning, smsRefusals.pausedByOperator],
    make: ({ db }: SmsDeps, action: CampaignAction) => pauseCampaign(db, action, false),
  },
] as const

function registerMoves(app: Api, deps: SmsDeps): void {
  for (const { path, operationId, summary, refusals: own, make } of moves) {
    app.post(
      `/sms/campaigns/:campaign_id/${path}`,
      {
        config: { permission: 'send_sms', refusals: [...refusals, ...own] },
        schema: { operationId, tags, summary, params: CampaignPath, response: { 200: Envelope(AppCampaign) } },
      },
      async ({ params, membership, person }) => {
        const { accountId } = membership
        await make(deps, { accountId, campaignId: params.campaignId, actor: person.email })
        return ok(await readForView(deps, accountId, params.campaignId))
      },
    )
  }
}

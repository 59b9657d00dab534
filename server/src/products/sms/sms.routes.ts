import { readWallet } from '../../money/wallets.ts'
import { linkTo } from '../../platform/http/document/link-to.ts'
import { Envelope, ok } from '../../platform/http/envelope.ts'
import { RefusalError, refusals } from '../../platform/http/refusals.ts'
import type { Api } from '../../platform/http/route-types.ts'
import { listCampaigns } from './campaigns/list-campaigns.ts'
import { listMessages } from './campaigns/list-messages.ts'
import { listSenders } from './campaigns/list-senders.ts'
import { type CampaignFigures, findCampaign } from './campaigns/read-campaign.ts'
import { readSmsBalance } from './campaigns/read-sms-balance.ts'
import { type SmsDeps, sendCampaign } from './campaigns/send-campaign.ts'
import { asQueued, viewCampaign, viewListedCampaign, viewMessage, viewSent } from './campaigns/view-campaign.ts'
import { registerOptOutRoutes } from './opt-outs.routes.ts'
import { smsRefusals } from './sms.refusals.ts'
import {
  CampaignList,
  CampaignMessages,
  CampaignParams,
  CampaignQuery,
  MessageQuery,
  SmsBalance,
  SmsSendBody,
  SmsSenders,
  SmsSent,
} from './sms.schemas.ts'
import { smsLimits, smsSwitchedOff } from './sms.settings.ts'

async function readCampaign(deps: SmsDeps, accountId: string, campaignId: string): Promise<CampaignFigures> {
  const campaign = await findCampaign(deps.db, accountId, campaignId)
  if (!campaign) throw new RefusalError(smsRefusals.campaignNotFound)
  return campaign
}

export function registerSmsRoutes(api: Api, deps: SmsDeps): void {
  registerSend(api, deps)
  registerSenderList(api, deps)
  registerCampaignList(api, deps)
  registerCampaignMessages(api, deps)
  registerBalance(api, deps)
  registerOptOutRoutes(api, deps)
}

function registerSend(api: Api, deps: SmsDeps): void {
  api.post(
    '/sms/send',
    {
      config: {
        keyType: 'sms',
        limit: smsLimits.send,
        refusals: [400, smsRefusals.allOptedOut, smsRefusals.insufficientCredits, 409, smsSwitchedOff],
      },
      links: linkTo('listSmsMessages', 'id', 'campaignId'),
      schema: {
        tags: ['SMS'],
        operationId: 'sendSms',
        summary: 'Send a text to one or many',
        description:
          'Costs segments times recipients in credits, debited at once. A text of GSM-7 characters holds 160 in one segment and 153 in each of several, where `^ { } [ ] ~ | \\ €` and form feeds count twice; any other character makes it unicode, with 70 and 67, where most emoji count twice.\n\nDuplicates are removed, and of a send to several numbers those that have opted out of your texts: `recipients` and `creditsCharged` count the others, and a send of which none is left answers 400.\n\nWhere we have quiet hours, a send to several numbers waits for their end, answered as `queued`; a text to one number goes at once. One wrong number refuses the whole send and is named. A text that the content policy blocks answers 400 and is listed as a campaign `blocked`, at 0 credits.\n\nUp to 500 recipients are sent at once and the results answered; what the network has not answered within 10 seconds counts in neither `sent` nor `failed` and goes on in the background. More are answered as `queued` and sent within about a minute. Refused messages are refunded when the campaign settles. A repeat with the same reference and body returns the original campaign; its answer carries `Idempotent-Replayed: true`.',
        body: SmsSendBody,
        response: { 200: Envelope(SmsSent) },
      },
    },
    async (request, reply) => {
      const { accountId } = request.caller
      const { message, recipients, sender, reference } = request.body
      const campaignRequest = { accountId, source: 'api', message, recipients, sender, reference } as const
      const { campaignId, isReplay, isQueued } = await sendCampaign(deps, campaignRequest)
      if (isReplay) reply.header('Idempotent-Replayed', 'true')
      const [campaign, { balance }] = await Promise.all([
        readCampaign(deps, accountId, campaignId),
        readWallet(deps.db, { accountId, purse: 'sms_credits' }),
      ])
      return ok(viewSent(isQueued ? asQueued(campaign) : campaign, balance))
    },
  )
}

function registerSenderList(api: Api, deps: SmsDeps): void {
  api.get(
    '/sms/senders',
    {
      config: { keyType: 'sms', limit: smsLimits.senders },
      schema: {
        tags: ['SMS'],
        operationId: 'listSmsSenders',
        summary: 'List the senders you may use',
        response: { 200: Envelope(SmsSenders) },
      },
    },
    async (request) => {
      const { mode, defaultSender, senders } = await listSenders(deps.db, request.caller.accountId)
      return ok({ mode, defaultSender, senders: [...senders] })
    },
  )
}

function registerCampaignList(api: Api, deps: SmsDeps): void {
  api.get(
    '/sms/campaigns',
    {
      config: { keyType: 'sms', limit: smsLimits.campaigns },
      schema: {
        tags: ['SMS'],
        operationId: 'listSmsCampaigns',
        summary: 'List your campaigns',
        description:
          '30 per page, newest first. A campaign is `completed` when no message of it is `queued` any more and the network took at least one, `failed` when it took none.',
        querystring: CampaignQuery,
        response: { 200: Envelope(CampaignList) },
      },
    },
    async (request) => {
      const { page = 0, status, from, to } = request.query
      if (from !== undefined && to !== undefined && from > to) {
        throw new RefusalError(refusals.invalidRequest('from must not be after to.'))
      }
      const rows = await listCampaigns(deps.db, request.caller.accountId, { page, status, from, to })
      return ok({ page, campaigns: rows.map(viewListedCampaign) })
    },
  )
}

function registerCampaignMessages(api: Api, deps: SmsDeps): void {
  api.get(
    '/sms/messages/:id',
    {
      config: { keyType: 'sms', limit: smsLimits.messages, refusals: [smsRefusals.campaignNotFound] },
      schema: {
        tags: ['SMS'],
        operationId: 'listSmsMessages',
        summary: 'Read a campaign and the state of its messages',
        description: '100 messages per page; read on until a page has fewer.',
        params: CampaignParams,
        querystring: MessageQuery,
        response: { 200: Envelope(CampaignMessages) },
      },
    },
    async (request) => {
      const { page = 0, status } = request.query
      const campaign = await readCampaign(deps, request.caller.accountId, request.params.id)
      const messages = await listMessages(deps.db, campaign, { page, status })
      return ok({ campaign: viewCampaign(campaign), delivery: campaign.delivery, messages: messages.map(viewMessage), page })
    },
  )
}

function registerBalance(api: Api, deps: SmsDeps): void {
  api.get(
    '/sms/balance',
    {
      config: { keyType: 'sms', limit: smsLimits.balance },
      schema: {
        tags: ['SMS'],
        operationId: 'readSmsBalance',
        summary: 'Read your SMS credits',
        response: { 200: Envelope(SmsBalance) },
      },
    },
    async (request) => {
      const { accountId } = request.caller
      const [{ isSuspended, ...credits }, { mode }] = await Promise.all([
        readSmsBalance(deps.db, accountId),
        listSenders(deps.db, accountId),
      ])
      return ok({ ...credits, mode, accountStatus: isSuspended ? ('suspended' as const) : ('active' as const) })
    },
  )
}

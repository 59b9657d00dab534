import Type from 'typebox'
import { readAccount } from '../../../accounts/find-account.ts'
import type { Db } from '../../../platform/database/database.ts'
import { RefusalError } from '../../../platform/http/refusals.ts'
import { Nullable, OneOf, Uuid } from '../../../platform/http/schemas.ts'
import { Timestamp } from '../../../platform/operations/fields.ts'
import { type Actor, type OperationDeps, operation } from '../../../platform/operations/operation.ts'
import { type CampaignAction, cancelCampaign, pauseCampaign } from '../link/cancel-campaign.ts'
import { campaignGroups } from '../members/list-account-campaigns.ts'
import { AppCampaign } from '../members/sms-member.schemas.ts'
import { smsRefusals } from '../sms.refusals.ts'
import { messageStatuses } from '../sms-statuses.ts'
import {
  type DeskCampaign,
  deskCampaignsPerPage,
  deskMessagesPerPage,
  findDeskCampaign,
  listDeskCampaigns,
  listDeskMessages,
} from './list-desk-campaigns.ts'
import { DeskId, NoticeReason } from './sms-desk.schemas.ts'

const { state, source, segments, recipients, delivery, message, sender } = AppCampaign.properties

const Campaign = Type.Object(
  {
    campaignId: Uuid(),
    accountId: Uuid(),
    account: Type.String(),
    accountName: Type.String(),
    state,
    message,
    sender,
    source,
    segments,
    recipients,
    creditsCharged: Type.Integer(),
    creditsRefunded: Type.Integer({ description: 'Given back when it settled.' }),
    blockedBy: Nullable(Type.String({ description: 'The rule of the content policy.' })),
    pausedBy: Nullable(Type.String()),
    isPausedByOperator: Type.Boolean({ description: 'Then only the operator resumes it.' }),
    cancelledBy: Nullable(Type.String()),
    cancelReason: Nullable(Type.String({ description: 'Why the platform cancelled it at its time.' })),
    scheduledAt: Nullable(Timestamp()),
    createdAt: Timestamp(),
    settledAt: Nullable(Timestamp()),
    delivery,
  },
  { title: 'DeskCampaign' },
)

const Message = Type.Object({
  n: Type.Integer({ description: 'Its place among the recipients.' }),
  number: Type.String(),
  status: OneOf(messageStatuses),
  supplier: Nullable(Type.String()),
  reason: Nullable(Type.String({ description: 'The supplier’s own words.' })),
  updatedAt: Timestamp(),
})

async function mustFindCampaign(db: Db, campaignId: string): Promise<DeskCampaign> {
  const campaign = await findDeskCampaign(db, campaignId)
  if (!campaign) throw new RefusalError(smsRefusals.campaignNotFound)
  return campaign
}

const reading = { tag: 'SMS', permission: 'see' } as const

const lists = [
  operation({
    ...reading,
    route: 'GET /sms/campaigns',
    operationId: 'deskListCampaigns',
    refusals: [409],
    summary: 'SMS campaigns of all accounts, newest first',
    input: Type.Object({
      group: Type.Optional(OneOf(campaignGroups)),
      account: Type.Optional(Type.String({ minLength: 1, maxLength: 120, description: 'Of this account: its e-mail or id.' })),
      before: Type.Optional(DeskId),
    }),
    output: Type.Object(
      { campaigns: Type.Array(Campaign), next: Nullable(Uuid({ description: 'Null: there are no more.' })) },
      { title: 'DeskCampaigns' },
    ),
    async act({ db }, _actor, { account, ...query }) {
      const accountId = account === undefined ? undefined : (await readAccount(db, account)).accountId
      const campaigns = await listDeskCampaigns(db, { ...query, accountId })
      return { campaigns, next: campaigns.length < deskCampaignsPerPage ? null : (campaigns.at(-1)?.campaignId ?? null) }
    },
  }),
  operation({
    ...reading,
    route: 'GET /sms/campaigns/:campaign_id',
    operationId: 'deskReadCampaign',
    refusals: [smsRefusals.campaignNotFound],
    summary: 'One campaign, and how far it is',
    input: Type.Object({ campaignId: DeskId }),
    output: Campaign,
    act: ({ db }, _actor, { campaignId }) => mustFindCampaign(db, campaignId),
  }),
  operation({
    ...reading,
    route: 'GET /sms/campaigns/:campaign_id/messages',
    operationId: 'deskListMessages',
    summary: 'The messages of a campaign in the order of its recipients; none before it has begun',
    input: Type.Object({
      campaignId: DeskId,
      after: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'The `next` of the page before.' })),
      status: Type.Optional(OneOf(messageStatuses)),
    }),
    output: Type.Object(
      { messages: Type.Array(Message), next: Nullable(Type.Integer({ description: 'Null: there are no more.' })) },
      { title: 'DeskMessages' },
    ),
    async act({ db }, _actor, { campaignId, ...query }) {
      const messages = await listDeskMessages(db, campaignId, query)
      return {
        messages: messages.map((each) => ({ ...each, number: `0${each.recipient.slice(3)}` })),
        next: messages.length < deskMessagesPerPage ? null : (messages.at(-1)?.n ?? null),
      }
    },
  }),
]

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

const ownerOf = async ({ db }: OperationDeps, _actor: Actor, { campaignId }: { readonly campaignId: string }) =>
  (await mustFindCampaign(db, campaignId)).accountId

export const campaignOperations = [
  ...lists,
  ...moves.map(({ path, make, ...named }) =>
    operation({
      ...named,
      route: `POST /sms/campaigns/:campaign_id/${path}`,
      tag: 'SMS',
      permission: 'manage_accounts',
      refusals: [smsRefusals.campaignNotFound, smsRefusals.campaignEnded],
      input: Type.Object({ campaignId: DeskId, reason: NoticeReason }),
      output: Campaign,
      about: ownerOf,
      async act({ db }, { actor }, { campaignId: asked, reason }) {
        const { campaignId, accountId } = await mustFindCampaign(db, asked)
        await make(db, { campaignId, accountId, actor, operatorReason: reason.trim() })
        return mustFindCampaign(db, campaignId)
      },
    }),
  ),
]

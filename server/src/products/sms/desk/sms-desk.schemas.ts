import Type from 'typebox'
import { Moment, Nullable, OneOf, Uuid } from '../../../platform/http/schemas.ts'
import { campaignGroups } from '../members/list-account-campaigns.ts'
import { AppCampaign, TextCheck } from '../members/sms-member.schemas.ts'
import { messageStatuses } from '../sms-words.ts'
import { senderGroups } from './list-desk-senders.ts'

const Id = Uuid({ pattern: '^[0-9a-fA-F]{8}-' })
const Reason = Type.String({ minLength: 1, maxLength: 500, pattern: '\\S', description: 'The account gets it in a notice.' })

export const DeskCampaignPath = Type.Object({ campaign_id: Id })
export const DeskCampaignQuery = Type.Object({
  group: Type.Optional(OneOf(campaignGroups)),
  account: Type.Optional(Type.String({ minLength: 1, maxLength: 120, description: 'Of this account: its e-mail or id.' })),
  before: Type.Optional(Id),
})

const { state, source, segments, recipients, delivery, message, sender } = AppCampaign.properties

export const DeskCampaignView = Type.Object(
  {
    campaign_id: Uuid(),
    account_id: Uuid(),
    account: Type.String(),
    account_name: Type.String(),
    state,
    message,
    sender,
    source,
    segments,
    recipients,
    credits_charged: Type.Integer(),
    credits_refunded: Type.Integer({ description: 'Given back when it settled.' }),
    blocked_by: Nullable(Type.String({ description: 'The rule of the content policy.' })),
    paused_by: Nullable(Type.String()),
    is_paused_by_operator: Type.Boolean({ description: 'Then only the operator resumes it.' }),
    cancelled_by: Nullable(Type.String()),
    cancel_reason: Nullable(Type.String({ description: 'Why the platform cancelled it at its time.' })),
    scheduled_at: Nullable(Moment()),
    created_at: Moment(),
    settled_at: Nullable(Moment()),
    delivery,
  },
  { title: 'DeskCampaign' },
)
export const DeskCampaigns = Type.Object(
  { campaigns: Type.Array(DeskCampaignView), next: Nullable(Uuid({ description: 'Null: there are no more.' })) },
  { title: 'DeskCampaigns' },
)

export const DeskMessageQuery = Type.Object({
  after: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'The `next` of the page before.' })),
  status: Type.Optional(OneOf(messageStatuses)),
})
export const DeskMessages = Type.Object(
  {
    messages: Type.Array(
      Type.Object({
        n: Type.Integer({ description: 'Its place among the recipients.' }),
        number: Type.String(),
        status: OneOf(messageStatuses),
        supplier: Nullable(Type.String()),
        reason: Nullable(Type.String({ description: 'The supplier’s own words.' })),
        updated_at: Moment(),
      }),
    ),
    next: Nullable(Type.Integer({ description: 'Null: there are no more.' })),
  },
  { title: 'DeskMessages' },
)

export const StopBody = Type.Object({ reason: Reason })

export const DeskTextBody = Type.Object({ message: Type.String({ minLength: 1, maxLength: 1000 }) })
const { encoding, blocked_because: blockedBecause } = TextCheck.properties
export const DeskTextCheck = Type.Object(
  {
    encoding,
    segments: Type.Integer(),
    blocked_by: Nullable(Type.String({ description: 'The rule that blocks it; null: it may be sent.' })),
    blocked_because: blockedBecause,
    receipt_score: Type.Number({ description: 'How much it reads like a receipt: above 0 rather, 4 and more almost surely.' }),
    receipt_score_min: Type.Number({ description: 'From which score on it is blocked.' }),
  },
  { title: 'DeskTextCheck' },
)

export const DeskSenderQuery = Type.Object({ group: OneOf(senderGroups), after: Type.Optional(Id) })
export const DeskSenders = Type.Object(
  {
    senders: Type.Array(
      Type.Object({
        sender_id: Uuid(),
        sender: Type.String(),
        account_id: Nullable(Uuid()),
        account: Nullable(Type.String()),
        account_name: Nullable(Type.String()),
        status: OneOf(['requested', 'approved', 'rejected']),
        is_default: Type.Boolean(),
        requested_at: Moment(),
        decided_at: Nullable(Moment()),
        decided_by: Nullable(Type.String()),
        reason: Nullable(Type.String()),
        campaigns: Type.Integer({ description: 'What the account has sent so far; at most 100 are counted.' }),
      }),
    ),
    next: Nullable(Uuid({ description: 'Null: there are no more.' })),
  },
  { title: 'DeskSenders' },
)

const SenderName = Type.String({ minLength: 3, maxLength: 15 })
export const ApproveSenderBody = Type.Object({
  account_id: Id,
  sender: SenderName,
  is_default: Type.Boolean({ description: 'Whether it becomes the account’s default. The first one does anyway.' }),
  reason: Type.String({ maxLength: 500, description: 'For the log; may be empty.' }),
})
export const RejectSenderBody = Type.Object({ account_id: Id, sender: SenderName, reason: Reason })
export const PoolSenderBody = Type.Object({ sender: SenderName, is_default: Type.Boolean() })
export const SenderDone = Type.Object({ done: Type.Literal(true) }, { title: 'DeskSenderDone' })

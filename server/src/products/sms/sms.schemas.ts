import Type, { type Static } from 'typebox'
import { realYearPattern } from '../../platform/http/document/patterns-in-words.ts'
import { Moment, Nullable, Omissible, OneOf, sensitive, Uuid } from '../../platform/http/schemas.ts'
import { campaignStatuses, messageStatuses } from './sms-statuses.ts'
import { recipientsMax } from './text/read-recipients.ts'

export const SmsSendBody = Type.Object(
  {
    message: Type.String({
      // The text may hold a one-time code.
      ...sensitive,
      minLength: 3,
      maxLength: 1000,
      description: 'The text; 3 to 1000 characters.',
      examples: ['Your order is ready.'],
    }),
    // Not `anyOf`: for a list that is too long, the error would only say that the value is not a string.
    recipients: Type.Unsafe<string | string[]>({
      type: ['string', 'array'],
      items: { type: 'string' },
      minItems: 1,
      maxItems: recipientsMax,
      description: `One number or up to ${recipientsMax}, as 0XXXXXXXXX or 233XXXXXXXXX. Duplicates are removed.`,
      examples: [['0241234567', '233201234567']],
    }),
    sender: Omissible(
      Type.String({
        description: 'An approved sender ID of yours or a pool sender; see GET /sms/senders. Default: your default sender.',
      }),
    ),
    reference: Omissible(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description:
          'Your own name for this send, unique in your account. Retry with the same reference and nothing is sent or charged twice.',
        examples: ['sms-2026-0001'],
      }),
    ),
  },
  { title: 'SmsSendBody' },
)

export type SmsSendBody = Static<typeof SmsSendBody>

const count = (description: string, example: number) => Type.Integer({ description, examples: [example] })

export const SmsSent = Type.Object(
  {
    campaignId: Uuid(),
    status: OneOf(campaignStatuses),
    recipients: count('Unique recipients.', 2),
    segments: count('Segments of the text.', 1),
    creditsCharged: count('Segments times recipients; refunds are not subtracted.', 2),
    sender: Type.String({ examples: ['Makola'] }),
    sent: count('Messages that the network has taken by now.', 2),
    failed: count('Messages that were refused at submission; their credits are refunded when the campaign settles.', 0),
    balance: count('Credits left now.', 998),
  },
  { title: 'SmsSent' },
)

export const SmsSenders = Type.Object(
  {
    mode: OneOf(['own', 'pool']),
    defaultSender: Type.String({ examples: ['Makola'] }),
    senders: Type.Array(
      Type.Object(
        {
          sender: Type.String({ examples: ['Makola'] }),
          type: OneOf(['own', 'pool'], { examples: ['pool'] }),
          isDefault: Type.Boolean(),
        },
        { title: 'SmsSender' },
      ),
    ),
  },
  { title: 'SmsSenderList' },
)

const Page = Type.Integer({ minimum: 0, maximum: 1_000_000_000, default: 0, description: 'Zero-based.' })

const Day = (description: string) =>
  Type.String({ format: 'date', pattern: realYearPattern, description, examples: ['2026-01-31'] })

export const CampaignQuery = Type.Object({
  page: Type.Optional(Page),
  status: Type.Optional(OneOf(campaignStatuses)),
  from: Type.Optional(Day('The first day, in Accra (UTC).')),
  to: Type.Optional(Day('The last day, included.')),
})

const campaignFields = {
  id: Uuid(),
  status: OneOf(campaignStatuses),
  recipients_count: Type.Integer(),
  segments: Type.Integer(),
  credits_charged: Type.Integer(),
  sender_used: Type.String({ examples: ['Makola'] }),
  created_at: Moment(),
}

export const CampaignList = Type.Object(
  {
    page: Type.Integer(),
    campaigns: Type.Array(
      Type.Object(
        { ...campaignFields, source: OneOf(['api', 'dashboard']), scheduled_at: Nullable(Moment()) },
        { title: 'SmsCampaign' },
      ),
      { description: 'At most 30, newest first.' },
    ),
  },
  { title: 'SmsCampaignList' },
)

export const CampaignParams = Type.Object({
  // The format alone would also accept `urn:uuid:…`, which is never one of our ids.
  id: Uuid({ pattern: '^[0-9a-fA-F]{8}-', description: 'The `campaignId` of the send.' }),
})

export const MessageQuery = Type.Object({ page: Type.Optional(Page), status: Type.Optional(OneOf(messageStatuses)) })

export const CampaignMessages = Type.Object(
  {
    campaign: Type.Object(campaignFields, { title: 'SmsCampaignDetail' }),
    // Not `Type.Record`: few client generators understand its `patternProperties`.
    delivery: Type.Unsafe<Record<string, number>>({
      type: 'object',
      additionalProperties: { type: 'integer' },
      description: 'How many messages are in each state, over the whole campaign; states without a message are left out.',
    }),
    messages: Type.Array(
      Type.Object(
        {
          recipient: Type.String({
            pattern: '^233\\d{2}(\\d{7}|\\*{5}\\d{2})$',
            description:
              '233 and nine digits, however it was sent; of old messages only the first and last digits: `23324*****67`.',
          }),
          status: OneOf(messageStatuses, {
            description:
              '`sent`: the network took it; its report later makes it `delivered`, `undelivered`, `expired` or `rejected`. `failed`: refused at submission, or never handed over; only its credits come back.',
          }),
          status_updated_at: Moment(),
        },
        { title: 'SmsMessage' },
      ),
      {
        description: 'At most 100.',
      },
    ),
    page: Type.Integer(),
  },
  { title: 'SmsCampaignMessages' },
)

export const SmsBalance = Type.Object(
  {
    credits: Type.Integer(),
    totalPurchased: Type.Integer(),
    totalUsed: Type.Integer({ description: 'Charged less refunded.' }),
    mode: OneOf(['own', 'pool']),
    accountStatus: OneOf(['active', 'suspended']),
  },
  { title: 'SmsBalance' },
)

import Type, { type TProperties } from 'typebox'
import { Ghs } from '../../../money/ghs.ts'
import { ourCenturyPattern } from '../../../platform/http/document/patterns-in-words.ts'
import { Moment, Nullable, Omissible, OneOf, Uuid } from '../../../platform/http/schemas.ts'
import { Timestamp } from '../../../platform/operations/fields.ts'
import { type Canceller, campaignSources, cancellers, messageStatuses } from '../sms-statuses.ts'
import { campaignGroups, campaignStates } from './list-account-campaigns.ts'

/** A CSV of ten thousand numbers with names, with room to spare. */
const pastedMax = 600_000

/** The most bytes of a body with pasted numbers. Letters of names may have several bytes. */
export const pastedBytesMax = 1_048_576

const Reference = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'The page’s own name for this, unique in the account: sending again does nothing twice.',
})
const Name = Type.String({ minLength: 1, maxLength: 60, pattern: '^\\S(.*\\S)?$' })
const Pasted = Type.String({
  maxLength: pastedMax,
  description: 'Numbers in any way of writing them, one or many in a line, with or without names: as pasted, or a CSV.',
})
const ListIds = Type.Array(Uuid({ pattern: '^[0-9a-fA-F]{8}-' }), { maxItems: 100 })
const count = (description: string) => Type.Integer({ description })
const IdPath = <Properties extends TProperties>(properties: Properties) => Type.Object(properties)
const Id = Uuid({ pattern: '^[0-9a-fA-F]{8}-' })

export const CampaignPath = IdPath({ campaignId: Id })
export const ListPath = IdPath({ listId: Id })
export const DraftPath = IdPath({ draftId: Id })
const Number233 = Type.String({ pattern: '^233[0-9]{9}$', description: '233 and nine digits.' })
export const ContactPath = IdPath({ listId: Id, number: Number233 })
export const NumberPath = IdPath({ number: Number233 })

const Pack = Type.Object({ credits: count('Credits of the pack.'), pricePesewas: Ghs({ description: 'In GHS.' }) })

export const SmsOverview = Type.Object(
  {
    credits: count('Credits left now.'),
    isBusiness: Type.Boolean({ description: 'Whether the account is an approved business; only such send SMS.' }),
    defaultSender: Type.String({ description: 'Empty where there is none.' }),
    balancePesewas: Ghs({ description: 'The wallet, in GHS.' }),
    packs: Type.Array(Pack, { description: 'What credits cost now, smallest pack first.' }),
  },
  { title: 'SmsOverview' },
)

export const BuyCreditsBody = Type.Object({
  credits: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
  price: Type.Number({
    minimum: 0.01,
    maximum: 1_000_000,
    description: 'The price that the person saw, in GHS. Another price is refused.',
  }),
  reference: Reference,
})

export const CreditsBought = Type.Object(
  {
    purchaseId: Uuid(),
    credits: count('Credits bought.'),
    pricePesewas: Ghs({ description: 'In GHS.' }),
    balancePesewas: Ghs({ description: 'The wallet now, in GHS.' }),
    creditsBalance: count('Credits now.'),
    isReplay: Type.Boolean({ description: 'Whether this purchase had been made before; nothing moved then.' }),
  },
  { title: 'SmsCreditsBought' },
)

export const MemberSenders = Type.Object(
  {
    senders: Type.Array(
      Type.Object({
        sender: Type.String(),
        type: OneOf(['own', 'pool']),
        status: OneOf(['requested', 'approved', 'rejected']),
        isDefault: Type.Boolean({ description: 'Whether campaigns go out under it when none is named.' }),
        reason: Nullable(Type.String({ description: 'Why it was rejected.' })),
      }),
    ),
  },
  { title: 'SmsMemberSenders' },
)
export const SenderBody = Type.Object({ sender: Type.String({ minLength: 3, maxLength: 15 }) })

export const TextBody = Type.Object({ message: Type.String({ maxLength: 1000 }) })
export const TextCheck = Type.Object(
  {
    encoding: OneOf(['gsm7', 'ucs2']),
    segments: count('SMS that each recipient costs.'),
    unusual: Type.Array(Type.Object({ character: Type.String(), replacement: Type.String() }), {
      description: 'The characters that make it unicode, and what may stand in their place; empty: leave it out.',
    }),
    plain_segments: count('Segments after all of them are replaced.'),
    blocked_because: Nullable(Type.String({ description: 'Why the content policy blocks it; null: it may be sent.' })),
  },
  { title: 'SmsTextCheck' },
)

const WrongNumbers = Type.Array(
  Type.Object({
    line: count('Counted from 1.'),
    given: Type.String(),
    why: OneOf(['foreign', 'too_short', 'too_long', 'not_a_number']),
  }),
  { description: 'The first 50 that are left out.' },
)
const nameFallback = Omissible(
  Type.String({ maxLength: 60, description: 'Written in place of `{name}` where a number has no saved name.' }),
)
export const RecipientsBody = Type.Object({
  recipients: Pasted,
  listIds: ListIds,
  message: Omissible(Type.String({ maxLength: 1000, description: 'The text, where it has `{name}`: its names are filled in.' })),
  nameFallback,
  scheduledAt: Omissible(Timestamp({ pattern: ourCenturyPattern, description: 'When it is to go out; left out: now.' })),
})
export const RecipientsCheck = Type.Object(
  {
    recipients: count('Unique numbers that would be reached.'),
    optedOut: count('Numbers that are left out because they have opted out.'),
    waitsUntil: Nullable(Timestamp({ description: 'When the quiet hours end that hold it back; null: it goes at its time.' })),
    duplicates: count('Numbers that came more than once.'),
    wrongCount: count('Lines that are left out.'),
    wrong: WrongNumbers,
    named: Nullable(
      Type.Object({
        unnamed: count('Numbers without a saved name.'),
        credits: Nullable(count('What the campaign costs; null: a number has neither a name nor a word in its place.')),
        segmentsMin: count('Segments of the shortest text.'),
        segmentsMax: count('Segments of the longest text.'),
        first: Type.Array(Type.Object({ number: Type.String(), text: Type.String() }), {
          description: 'The first texts as they will be sent.',
        }),
      }),
    ),
  },
  { title: 'SmsRecipientsCheck' },
)

export const AppSendBody = Type.Object({
  message: Type.String({ minLength: 3, maxLength: 1000 }),
  recipients: Pasted,
  listIds: ListIds,
  sender: Omissible(Type.String({ minLength: 3, maxLength: 15 })),
  scheduledAt: Omissible(
    Timestamp({ pattern: ourCenturyPattern, description: 'When it is sent; left out: now. The credits are debited now.' }),
  ),
  nameFallback,
  credits: Type.Integer({ minimum: 1, description: 'The cost that the person confirmed. Another cost is refused.' }),
  reference: Reference,
})
export const AppSent = Type.Object(
  {
    campaignId: Uuid(),
    isReplay: Type.Boolean({ description: 'Whether it had been sent before; this try charged nothing then.' }),
  },
  { title: 'SmsAppSent' },
)

const campaign = {
  campaign_id: Uuid(),
  state: OneOf(campaignStates),
  message: Type.String(),
  sender: Type.String(),
  source: OneOf(campaignSources),
  encoding: OneOf(['gsm7', 'ucs2']),
  segments: Type.Integer(),
  recipients: Type.Integer(),
  opted_out: count('Numbers that were left out because they had opted out.'),
  credits_charged: Type.Integer(),
  credits_refunded: count('Given back when it settled.'),
  scheduled_at: Nullable(Moment()),
  waits_until: Nullable(Moment({ description: 'When the quiet hours end that hold it back; null: none do.' })),
  cancelled_by: Type.Unsafe<Canceller | null>({
    type: ['string', 'null'],
    enum: [...cancellers, null],
    description: 'Null: nobody cancelled it. `platform`: see `cancel_reason`.',
  }),
  cancel_reason: Nullable(
    Type.String({
      description:
        'Why the platform cancelled it at its time: `account_suspended`, `no_business_account`, `sender_not_approved`.',
    }),
  ),
  created_at: Moment(),
  settled_at: Nullable(Moment()),
  // Not `Type.Record`: few client generators understand its `patternProperties`.
  delivery: Type.Unsafe<Record<string, number>>({
    type: 'object',
    additionalProperties: { type: 'integer' },
    description: 'How many messages are in each state; states without a message are left out.',
  }),
}
export const AppCampaign = Type.Object(campaign, { title: 'SmsAppCampaign' })
export const AppCampaignQuery = Type.Object({
  group: Type.Optional(OneOf(campaignGroups)),
  before: Type.Optional(Uuid({ pattern: '^[0-9a-fA-F]{8}-', description: 'The `next` of the page before.' })),
})
export const AppCampaigns = Type.Object(
  { campaigns: Type.Array(AppCampaign), next: Nullable(Uuid({ description: 'Null: there are no more.' })) },
  { title: 'SmsAppCampaigns' },
)
export const AppMessageQuery = Type.Object({
  page: Type.Optional(Type.Integer({ minimum: 0, maximum: 100, default: 0 })),
  status: Type.Optional(OneOf(messageStatuses)),
})
export const AppMessages = Type.Object(
  {
    messages: Type.Array(
      Type.Object({ number: Type.String(), status: OneOf(messageStatuses), updatedAt: Timestamp(), isCancelled: Type.Boolean() }),
    ),
    hasMore: Type.Boolean(),
  },
  { title: 'SmsAppMessages' },
)

const list = {
  listId: Uuid(),
  name: Type.String(),
  contacts: Type.Integer(),
  createdAt: Timestamp(),
  isOptOut: Type.Boolean({ description: 'Whether campaigns leave its numbers out.' }),
}
export const ContactListView = Type.Object(list, { title: 'SmsContactList' })
export const ContactLists = Type.Object({ lists: Type.Array(ContactListView) }, { title: 'SmsContactLists' })
export const ListBody = Type.Object({ name: Name })
export const ContactsQuery = Type.Object({ after: Type.Optional(Number233) })
export const Contacts = Type.Object(
  {
    list: ContactListView,
    contacts: Type.Array(Type.Object({ number: Type.String(), name: Nullable(Type.String()) })),
    next: Nullable(Type.String({ description: 'Null: there are no more.' })),
  },
  { title: 'SmsContacts' },
)
export const ImportBody = Type.Object({ text: Pasted, isDryRun: Type.Boolean() })
export const ContactsImported = Type.Object(
  {
    added: count('Numbers that are new in the list, or would be.'),
    repeated: count('Numbers that came more than once.'),
    known: count('Numbers that the list had already.'),
    wrongCount: count('Lines that are left out.'),
    wrong: WrongNumbers,
  },
  { title: 'SmsContactsImported' },
)
export const Deleted = Type.Object({ deleted: Type.Integer() }, { title: 'SmsDeleted' })
export const Done = Type.Object({ done: Type.Literal(true) }, { title: 'SmsDone' })

export const DraftBody = Type.Object({
  message: Type.String({ maxLength: 1000 }),
  recipients: Pasted,
  listIds: ListIds,
  sender: Omissible(Type.String({ minLength: 3, maxLength: 15 })),
  nameFallback,
})
export const Drafts = Type.Object(
  {
    drafts: Type.Array(
      Type.Object({
        draftId: Uuid(),
        message: Type.String(),
        recipients: Type.String(),
        listIds: Type.Array(Uuid()),
        sender: Nullable(Type.String()),
        nameFallback: Nullable(Type.String()),
        updatedAt: Timestamp(),
      }),
    ),
  },
  { title: 'SmsDrafts' },
)

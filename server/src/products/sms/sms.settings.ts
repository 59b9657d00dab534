import Type from 'typebox'
import type { RateLimit } from '../../platform/http/limits/endpoint-limits.ts'
import { refusals } from '../../platform/http/refusals.ts'
import { defineChoice, defineCount, defineSwitch } from '../../platform/settings/setting-schemas.ts'
import { defineSetting } from '../../platform/settings/settings.ts'
import { type ContentRule, defaultContentRules } from './text/content-rules.ts'

/** Off: new campaigns answer 503 (decision S9c). */
export const smsEnabled = defineSwitch(
  'sms_enabled',
  true,
  'Whether SMS are sent. While it is off, sending is refused and charges nothing.',
)

export const smsSwitchedOff = refusals.featureDisabled('The sending of SMS')

/** The rule that counts the segments of a long text (decision M1: how segments are counted; 3GPP TS 23.040). */
export const smsSegmentRule = defineChoice(
  'sms_segment_rule',
  ['standard', 'flat'],
  'standard',
  'Characters of each segment of a long SMS: 153 or 67 (standard), 160 or 70 (flat; the segments arrive as texts of their own).',
)

export const smsTextDays = defineCount(
  'sms_text_days',
  { least: 1, most: 3_650, unit: 'days' },
  90,
  'Days after the end of a campaign at which its text is forgotten.',
)

/** Signs between letters are not searched, so a phrase needs a letter or a digit. */
const Phrase = Type.String({ minLength: 3, maxLength: 100, pattern: String.raw`[\p{L}\p{N}]` })

const ContentRules = Type.Unsafe<readonly ContentRule[]>(
  Type.Array(
    Type.Object({
      name: Type.String({ pattern: '^[a-z][a-z0-9_]{0,49}$' }),
      all: Type.Array(Type.Array(Phrase, { minItems: 1, maxItems: 100 }), {
        minItems: 1,
        maxItems: 10,
      }),
    }),
    { maxItems: 100 },
  ),
)

/** Each rule blocks a text that contains a phrase of each of its groups (decision M4). */
export const smsContentRules = defineSetting({
  name: 'sms_content_rules',
  schema: ContentRules,
  defaultValue: defaultContentRules,
  allowed: 'a list of rules such as [{"name":"receipt","all":[["you have received"],["{amount}"],["mtn","momo"]]}]',
  help: 'Texts that are blocked. A rule blocks a text that holds a phrase of every group; the word “amount” in braces stands for any amount in cedis.',
})

/** A text with this score or more resembles a telecom's receipt and is blocked (decision M4: the content policy). */
export const smsReceiptScore = defineSetting({
  name: 'sms_receipt_score',
  schema: Type.Number({ minimum: -100, maximum: 100 }),
  defaultValue: 0,
  allowed: 'a number from -100 to 100',
  help: 'Texts with at least this score are blocked as receipts: 0 is in doubt, 4 almost sure, 100 blocks none. `makola sms check-text` shows the score of a text.',
})

export const smsCreditPacks = defineSetting({
  name: 'sms_credit_packs',
  schema: Type.Array(
    Type.Object({
      credits: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
      price: Type.Refine(Type.Number({ minimum: 0.01, maximum: 1_000_000 }), (value) => Math.round(value * 100) / 100 === value),
    }),
    { maxItems: 12 },
  ),
  defaultValue: [
    { credits: 100, price: 5 },
    { credits: 500, price: 22.5 },
    { credits: 1_000, price: 40 },
    { credits: 5_000, price: 180 },
    { credits: 10_000, price: 340 },
  ],
  allowed: 'a list of packs such as [{"credits":100,"price":5},{"credits":1000,"price":40}], prices in GHS; [] sells none',
  help: 'The packs of SMS credits that resellers buy from their wallet in the app, and their prices in GHS.',
})

export const smsDeadlineHours = defineCount(
  'sms_deadline_hours',
  { least: 1, most: 168, unit: 'hours' },
  24,
  'Hours after which a message without the supplier’s answer counts as sent, and one that was never submitted as failed.',
)

/** A receipt that comes after these days changes nothing. The ids of older messages and receipts are deleted. */
export const smsReceiptDays = defineCount(
  'sms_receipt_days',
  { least: 1, most: 60, unit: 'days' },
  7,
  'Days for which delivery receipts of an SMS are accepted.',
)

/** Campaigns to several numbers wait for the end of these hours; a text to one number does not (`isCampaignDue`). */
export const smsQuietHours = defineSetting({
  name: 'sms_quiet_hours',
  schema: Type.String({ pattern: '^(off|([01][0-9]|2[0-3]):[0-5][0-9]-([01][0-9]|2[0-3]):[0-5][0-9])$' }),
  defaultValue: 'off',
  allowed: '`off`, or two times of day in Ghana such as 21:00-07:00',
  help: 'Hours in which campaigns wait: a text to several numbers is advertising and goes out when they end. A text to one number goes at once.',
})

/** A reply that is one of these words, in any case, is an opt-out (`link/opt-out-by-reply.ts`). */
export const smsStopWords = defineSetting({
  name: 'sms_stop_words',
  schema: Type.Array(Type.String({ minLength: 2, maxLength: 20, pattern: '^[\\p{L}\\p{N}]+$' }), { maxItems: 50 }),
  defaultValue: ['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT'],
  allowed: 'a list of words such as ["STOP","QUIT"]; [] takes no reply',
  help: 'A phone that answers a text with one of these words is left out of the campaigns of the account that wrote it.',
})

export const smsSettings = [
  smsEnabled,
  smsSegmentRule,
  smsContentRules,
  smsReceiptScore,
  smsTextDays,
  smsCreditPacks,
  smsDeadlineHours,
  smsReceiptDays,
  smsStopWords,
  smsQuietHours,
]

/** The limits per key (contract, Limits). The operator may set other numbers. */
export const smsLimits = {
  send: { name: 'POST /sms/send' },
  senders: { name: 'GET /sms/senders' },
  campaigns: { name: 'GET /sms/campaigns' },
  messages: { name: 'GET /sms/messages/{id}' },
  balance: { name: 'GET /sms/balance' },
  optOuts: { name: 'GET /sms/opt-outs' },
  addOptOuts: { name: 'POST /sms/opt-outs' },
  removeOptOuts: { name: 'POST /sms/opt-outs/remove' },
} as const satisfies Record<string, RateLimit>

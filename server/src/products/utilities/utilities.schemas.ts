import Type, { type Static } from 'typebox'
import { trimmedPrintablePattern } from '../../platform/http/document/patterns-in-words.ts'
import { GhsAmount, Moment, Nullable, Omissible, OneOf, sensitive, Uuid } from '../../platform/http/schemas.ts'
import { WithWireName } from '../../platform/operations/fields.ts'

/** The billers of the contract (What the service does). Their rules are in the table `billers`. */
export const billerKeys = ['ecg', 'ghana_water', 'dstv', 'gotv', 'startimes'] as const

export type BillerKey = (typeof billerKeys)[number]

const statuses = ['pending', 'processing', 'completed', 'failed', 'refunded'] as const

export type UtilityStatus = (typeof statuses)[number]

/** The most characters of an account, and of a phone (contract, Limits; decision U3: the form of an account number). */
const accountLengthMax = 30

export const BillerList = Type.Object(
  {
    billers: Type.Array(
      Type.Object(
        {
          key: OneOf(billerKeys),
          label: Type.String(),
          enabled: Type.Boolean({ description: 'False when an administrator switched the biller off; it is still listed.' }),
          account_label: Type.String({ description: 'What the biller calls the number of an account.' }),
          requires_phone: Type.Boolean({ description: 'Whether POST /utilities/pay needs `phone`.' }),
          lookup_by: OneOf(['phone', 'account'], { description: 'What GET /utilities/lookup looks up by.' }),
          links_phone_to_account: Type.Boolean({ description: 'Whether one phone may be linked to several accounts.' }),
          has_amount_due: Type.Boolean({
            description: 'Whether GET /utilities/lookup answers `amount_due`. For `ecg` the balance stands with each meter.',
          }),
        },
        { title: 'Biller' },
      ),
    ),
    min_amount: Type.Number({ description: 'The least amount of a payment, in GHS.' }),
    max_amount: Type.Number({ description: 'The most amount of a payment, in GHS.' }),
    currency: Type.Literal('GHS'),
  },
  { title: 'BillerList' },
)

export const UtilityLookupQuery = Type.Object({
  biller: OneOf(billerKeys),
  account: Type.String({
    minLength: 1,
    maxLength: accountLengthMax,
    pattern: trimmedPrintablePattern,
    description: 'The account, meter or smartcard number. For `ecg` the phone again when there is no separate meter number.',
    examples: ['7023456789'],
  }),
  phone: Type.Optional(
    Type.String({
      maxLength: accountLengthMax,
      description: 'Required for `ecg`, which is looked up by it, and for `ghana_water`: 10 digits starting with 0.',
      examples: ['0241234567'],
    }),
  ),
})

export type UtilityLookupQuery = Static<typeof UtilityLookupQuery>

export const UtilityLookup = Type.Object(
  {
    account_name: Nullable(Type.String(sensitive)),
    account_number: Nullable(Type.String()),
    amount_due: Nullable(Type.Number({ description: 'In GHS; negative is a credit balance.' })),
    bouquet: Nullable(Type.String()),
    meters: Type.Array(
      Type.Object(
        {
          name: Type.String(sensitive),
          meterNumber: WithWireName('meterNumber', Type.String()),
          outstanding: Type.Number({ description: 'In GHS; negative is a credit balance.' }),
        },
        { title: 'Meter' },
      ),
      { description: 'The meters linked to the phone; only for `ecg`.' },
    ),
  },
  { title: 'UtilityLookup' },
)

/** An idempotency key of a payment (contract, Limits). */
export const PayReference = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: '^[a-zA-Z0-9._-]+$',
  description:
    'Your idempotency key, of this account and service alone. Reusing it returns the original order, whatever the rest of the body says, and charges nothing.',
  examples: ['bill-2026-0001'],
})

export const UtilityPayBody = Type.Object(
  {
    biller: OneOf(billerKeys),
    account: Type.String({
      minLength: 1,
      maxLength: accountLengthMax,
      pattern: trimmedPrintablePattern,
      description: 'The account, meter or smartcard to be paid. For `ecg` a meter number of the look-up, not the phone.',
      examples: ['7023456789'],
    }),
    phone: Omissible(
      Type.String({
        description:
          'Required for `ecg` and `ghana_water`: 10 digits starting with 0. For the others it is ignored, whatever it is.',
        examples: ['0241234567'],
      }),
    ),
    amount: GhsAmount({
      description: 'What is paid to the biller, in GHS with at most 2 decimals, within the bounds of GET /utilities/billers.',
      examples: [20],
    }),
    reference: Omissible(PayReference),
  },
  { title: 'UtilityPayBody' },
)

export type UtilityPayBody = Static<typeof UtilityPayBody>

const placedFields = {
  reference: Type.String({
    description: 'Made by the service, as `UTIL-<BILLER>-<random>`; take it to GET /utilities/orders/{reference}.',
    examples: ['UTIL-DSTV-7KQ2MZX4PD3VRTHA'],
  }),
  order_id: Uuid({ description: 'The order’s id.' }),
  status: OneOf(statuses, { description: 'The state of the order now; `pending` at first.' }),
}

/** A new payment is answered with all fields, a replay with fewer (contract, Utilities, 4). */
export const UtilityPayment = Type.Union(
  [
    Type.Object(
      {
        ...placedFields,
        biller: OneOf(billerKeys, { description: 'The biller that is paid.' }),
        account: Type.String({ description: 'The account, meter or smartcard that is paid.' }),
        amount: Type.Number({ description: 'What was charged, in GHS.' }),
        commission_share_percent: Type.Number({
          description: 'Your part of the commission, credited when the order is completed.',
        }),
        new_balance: Type.Number({ description: 'The wallet after this payment, in GHS.' }),
      },
      { title: 'UtilityPaymentPlaced', description: 'A new payment: this call placed it and charged the wallet.' },
    ),
    Type.Object(
      {
        ...placedFields,
        already_processed: Type.Literal(true, { description: 'An earlier call placed this order; this one charged nothing.' }),
      },
      { title: 'UtilityPaymentRepeated', description: 'A repeat: your reference was used before, and this is its order.' },
    ),
  ],
  { title: 'UtilityPayment' },
)

export const UtilityOrder = Type.Object(
  {
    reference: Type.String(),
    status: OneOf(statuses),
    payment_status: OneOf(['paid', 'refunded'], { description: 'Whether the wallet has paid, or has its money back.' }),
    biller: OneOf(billerKeys),
    account_number: Type.String(),
    account_name: Type.String({
      ...sensitive,
      description: 'As the biller said with the payment, else in answer to your look-up; empty while it named nobody.',
    }),
    amount: Type.Number({ description: 'In GHS.' }),
    commission_earned: Nullable(Type.Number({ description: 'In GHS; null until `status` is `completed`.' })),
    reason: Type.Optional(Type.String({ description: 'Why the money went back; only when `status` is `refunded`.' })),
    created_at: Moment(),
    updated_at: Moment(),
  },
  { title: 'UtilityOrder' },
)

export const UtilityReferenceParams = Type.Object({
  reference: Type.String({ description: 'The `reference` of the pay response, or its `order_id`.' }),
})

import Type from 'typebox'
import { GhsAmount, Nullable, Omissible, OneOf, Uuid } from '../../platform/http/schemas.ts'
import { Timestamp } from '../../platform/operations/fields.ts'
import { Ghs } from '../ghs.ts'

const states = ['pending', 'waiting', 'credited', 'failed', 'expired', 'held', 'declined'] as const

const printable = '^[^\\u0000-\\u001f\\u007f]*$'

const PageReference = Type.String({
  minLength: 8,
  maxLength: 100,
  pattern: '^[A-Za-z0-9-]+$',
  description: 'Made by the page and kept until the outcome is known: the same reference is the same top-up.',
})

const Amount = Ghs(GhsAmount({ maximum: 1_000_000, description: 'What the wallet gets, in GHS.', examples: [100] }))

export const TopUpPath = Type.Object({ topUpId: Uuid() })

export const MakeTopUpBody = Type.Object({
  reference: PageReference,
  way: Type.String({ minLength: 1, maxLength: 40, description: 'One of the ways that are offered.' }),
  amountPesewas: Amount,
  feePesewas: Ghs({ minimum: 0, maximum: 1_000_000, description: 'The fee that the person was shown, in GHS.' }),
  phone: Omissible(
    Type.String({
      pattern: '^0[0-9]{9}$',
      description: 'The number that is asked to pay. Needed for a way of the kind `prompt`.',
      examples: ['0241234567'],
    }),
  ),
})

export const NoteTransferBody = Type.Object({
  reference: PageReference,
  amountPesewas: Amount,
  transferReference: Type.String({
    minLength: 3,
    maxLength: 60,
    pattern: '^[^\\u0000-\\u001f\\u007f]*[A-Za-z0-9][^\\u0000-\\u001f\\u007f]*$',
    description: 'The number of the transfer, as its receipt has it.',
  }),
  note: Omissible(Type.String({ maxLength: 200, pattern: printable })),
})

export const QuoteQuery = Type.Object({ amountPesewas: Amount })

export const TopUpListQuery = Type.Object({
  state: Type.Optional(OneOf(states)),
  after: Type.Optional(Uuid({ description: 'The `next` of the page before.' })),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 25 }),
})

export const TopUp = Type.Object(
  {
    topUpId: Uuid(),
    reference: Type.String({ description: 'What the gateway and the receipt call it.' }),
    way: Type.String({ description: 'The gateway, or `transfer`.' }),
    state: OneOf(states),
    amountPesewas: Ghs({ description: 'What the wallet gets, in GHS.' }),
    feePesewas: Ghs(),
    chargedPesewas: Ghs({ description: 'What the payer pays: amount and fee.' }),
    said: Nullable(
      Type.String({
        description:
          'What the gateway said last: `paid`, `failed`, `not_begun`, `in_progress`, `not_known`, or `unanswered` when it says nothing.',
      }),
    ),
    reason: Nullable(Type.String({ description: 'Why it failed, is held or was declined.' })),
    paymentUrl: Nullable(Type.String({ description: 'The gateway’s page, while it can still be paid.' })),
    payerPhone: Nullable(Type.String({ description: 'The number that is asked to pay on the phone.' })),
    transferReference: Nullable(Type.String()),
    note: Nullable(Type.String()),
    hasPicture: Type.Boolean(),
    madeBy: Type.String(),
    isByFloor: Type.Boolean({ description: 'Whether it was begun because the balance fell below the floor.' }),
    createdAt: Timestamp(),
    expiresAt: Nullable(Timestamp({ description: 'Until then the page may be paid.' })),
    endedAt: Nullable(Timestamp()),
  },
  { title: 'TopUp' },
)

export const TopUpList = Type.Object(
  { topUps: Type.Array(TopUp), next: Nullable(Uuid({ description: 'Where the next page begins.' })) },
  { title: 'TopUpList' },
)

export const TopUpWays = Type.Object(
  {
    ways: Type.Array(
      Type.Object({
        way: Type.String(),
        title: Type.String(),
        kind: OneOf(['redirect', 'prompt'], {
          description: '`redirect`: the payer pays on a page of the gateway. `prompt`: the gateway asks on the phone.',
        }),
      }),
    ),
    smallestPesewas: Ghs(),
    largestPesewas: Ghs(),
    leftTodayPesewas: Ghs({ description: 'What may still be topped up today, in GHS.' }),
    transferInstructions: Nullable(Type.String({ description: 'How to pay by a transfer; null: there is no such way.' })),
    balancePesewas: Ghs({ description: 'What the main wallet holds, in GHS.' }),
    lastPhone: Nullable(
      Type.String({
        description:
          'The phone number on which this person was last asked to pay; null: no such top-up yet, or its number was forgotten.',
      }),
    ),
  },
  { title: 'TopUpWays' },
)

export const TopUpQuoteView = Type.Object(
  {
    amountPesewas: Ghs(),
    feePesewas: Ghs(),
    chargedPesewas: Ghs({ description: 'What the payer pays.' }),
    feeIsPaidBy: OneOf(['reseller', 'operator']),
  },
  { title: 'TopUpQuote' },
)

export const PictureKept = Type.Object({ hasPicture: Type.Literal(true) }, { title: 'PictureKept' })

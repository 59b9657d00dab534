import Type from 'typebox'
import { AskedDay, GhsAmount, Nullable, OneOf, Uuid } from '../../platform/http/schemas.ts'
import { Timestamp } from '../../platform/operations/fields.ts'
import { Ghs } from '../ghs.ts'
import type { AccountPurse, TransferKind } from '../money.tables.ts'
import { entryWords, purseWords } from '../statement/statement-words.ts'

const purses = Object.keys(purseWords) as AccountPurse[]
const kinds = Object.keys(entryWords) as TransferKind[]

const Purse = OneOf(purses, { description: 'Which of the account’s purses.' })
const Kind = OneOf(kinds, { description: 'What the entry is for.' })

/** The list and the file take the same filters. */
const ledgerFilters = {
  purse: Purse,
  kind: Type.Optional(Kind),
  from: Type.Optional(AskedDay({ description: 'From this day on; Accra’s days.' })),
  to: Type.Optional(AskedDay({ description: 'To this day, the day included.' })),
}

export const LedgerFilters = Type.Object(ledgerFilters)
export const LedgerListQuery = Type.Object({
  ...ledgerFilters,
  before: Type.Optional(
    Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'The `next` of the page before.' }),
  ),
})
export const StatementQuery = Type.Object({
  purse: Purse,
  month: Type.String({ pattern: '^20[0-9]{2}-(0[1-9]|1[0-2])$', examples: ['2027-01'] }),
})

export const StatementDocumentQuery = Type.Object({
  ...StatementQuery.properties,
  part: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100_000, description: 'Which part of it; needed where it has several.' }),
  ),
})

export const StatementParts = Type.Object(
  {
    entries: Type.Integer({ description: 'Of the whole month.' }),
    parts: Type.Array(
      Type.Object(
        {
          part: Type.Integer(),
          entries: Type.Integer(),
          from: Nullable(Timestamp({ description: 'When its first entry was made; null: there is none.' })),
          to: Nullable(Timestamp({ description: 'When its last entry was made.' })),
        },
        { title: 'StatementPart' },
      ),
    ),
  },
  { title: 'StatementParts' },
)

export const Purses = Type.Object(
  {
    mainPesewas: Ghs({ description: 'GHS' }),
    commissionPesewas: Ghs({ description: 'GHS' }),
    smsCredits: Type.Integer(),
  },
  { title: 'Purses' },
)

export const WalletNow = Type.Object(
  {
    ...Purses.properties,
    pendingCommissionPesewas: Ghs({ description: 'GHS that open orders earn when they are delivered, beside the commission.' }),
  },
  { title: 'WalletNow' },
)

export const LedgerPageView = Type.Object(
  {
    unit: OneOf(['GHS', 'credits']),
    entries: Type.Array(
      Type.Object(
        {
          entryNo: Type.Integer(),
          at: Timestamp(),
          kind: Kind,
          amount: Type.Number({ description: 'Above 0 what came in, below 0 what went out.' }),
          balanceBefore: Type.Number(),
          balanceAfter: Type.Number(),
          reference: Type.String({ description: 'What the cause is called.' }),
          note: Nullable(Type.String()),
          order: Nullable(Uuid({ description: 'The order that the entry is about.' })),
        },
        { title: 'LedgerEntry' },
      ),
    ),
    next: Nullable(Type.Integer({ description: 'Where the next page begins; null: this is the last one.' })),
  },
  { title: 'LedgerPage' },
)

export const CommissionTransferBody = Type.Object({
  reference: Type.String({ minLength: 8, maxLength: 100, description: 'Made by the page. The same one moves once.' }),
  amount: GhsAmount({ maximum: 1_000_000_000, description: 'In GHS, with at most 2 decimals.' }),
})

export const CommissionTransferred = Type.Object(
  {
    transferredPesewas: Ghs({ description: 'GHS' }),
    commissionPesewas: Ghs({ description: 'What the Commission Wallet holds now, in GHS.' }),
    balancePesewas: Ghs({ description: 'What the main wallet holds now, in GHS.' }),
  },
  { title: 'CommissionTransferred' },
)

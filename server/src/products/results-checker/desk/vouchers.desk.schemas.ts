import Type from 'typebox'
import { GhsAmount, Moment, Nullable, Omissible, OneOf, sensitive, Uuid } from '../../../platform/http/schemas.ts'

export const VoucherTypeView = Type.Object(
  {
    type_id: Uuid(),
    name: Type.String(),
    price_customer: Type.Number(),
    price_agent: Type.Number(),
    price_dealer: Type.Number(),
    is_active: Type.Boolean({ description: 'Whether it is on sale.' }),
    available_count: Type.Integer({ description: 'How many are left.' }),
    low_stock_count: Type.Integer({ description: 'With fewer than this many left, the alarm `vouchers_low` is raised.' }),
    is_low: Type.Boolean({ description: 'On sale, and fewer are left than `low_stock_count` or than are sold in three days.' }),
    sold_7_days: Type.Integer(),
    days_left: Nullable(
      Type.Number({ description: 'How long the stock lasts at the pace of the last 7 days; null: none was sold.' }),
    ),
  },
  { title: 'DeskVoucherType' },
)

export const VoucherTypesPage = Type.Object({ types: Type.Array(VoucherTypeView) }, { title: 'DeskVoucherTypes' })

export const VoucherTypeParams = Type.Object({ type_id: Uuid() })

const typeFields = {
  name: Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' }),
  price_customer: GhsAmount({ maximum: 1_000_000 }),
  price_agent: GhsAmount({ maximum: 1_000_000 }),
  price_dealer: GhsAmount({ maximum: 1_000_000 }),
  low_stock_count: Type.Integer({ minimum: 0, maximum: 999_999_999 }),
}

const Reason = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S', description: 'Why, for the log.' })

export const NewVoucherTypeBody = Type.Object(
  { ...typeFields, low_stock_count: Omissible(typeFields.low_stock_count) },
  { title: 'NewVoucherTypeBody' },
)

export const ChangeVoucherTypeBody = Type.Object(
  {
    name: Omissible(typeFields.name),
    price_customer: Omissible(typeFields.price_customer),
    price_agent: Omissible(typeFields.price_agent),
    price_dealer: Omissible(typeFields.price_dealer),
    low_stock_count: Omissible(typeFields.low_stock_count),
    is_active: Omissible(Type.Boolean()),
    reason: Reason,
  },
  { title: 'ChangeVoucherTypeBody' },
)

export const VoucherBatchList = Type.Object(
  {
    batches: Type.Array(
      Type.Object(
        {
          batch_id: Uuid(),
          imported_at: Moment(),
          imported_by: Nullable(Type.String()),
          file_name: Nullable(Type.String()),
          imported: Type.Integer(),
          skipped: Type.Integer({ description: 'Rows of the file that were known already.' }),
          left: Type.Integer({ description: 'How many of it nobody has bought.' }),
          withdrawn: Type.Integer({ description: 'How many of it were taken out of the stock.' }),
        },
        { title: 'VoucherBatch' },
      ),
    ),
    next: Nullable(Uuid({ description: '`after` of the next page.' })),
  },
  { title: 'VoucherBatchList' },
)

export const BatchListQuery = Type.Object({
  after: Type.Optional(Uuid()),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
})

export const ImportQuery = Type.Object({
  dry_run: Type.Boolean({ default: false, description: 'Checks everything and keeps nothing.' }),
  file_name: Type.Optional(Type.String({ maxLength: 200 })),
  cost: Type.Optional(Type.Number({ minimum: 0, maximum: 1_000_000, description: 'What each voucher cost you, in GHS.' })),
})

export const VoucherImportResult = Type.Object(
  {
    is_dry_run: Type.Boolean(),
    imported: Type.Integer({ description: 'How many vouchers were added; in a dry run, would be.' }),
    skipped: Type.Integer({ description: 'How many rows were known already.' }),
    known_lines: Type.Array(Type.Integer(), { description: 'The first lines that were known already, at most 100.' }),
    problems: Type.Array(Type.Object({ line: Type.Integer(), message: Type.String() }), {
      description: 'What is wrong, by line, at most 200. Only a dry run answers with them; an import keeps nothing then.',
    }),
    problem_count: Type.Integer(),
  },
  { title: 'VoucherImportResult' },
)

export const WithdrawVouchersBody = Type.Object(
  {
    batch_id: Omissible(Uuid({ description: 'What is left of one import.' })),
    oldest: Omissible(Type.Integer({ minimum: 1, maximum: 999_999, description: 'Those that would be sold next.' })),
    is_all: Omissible(Type.Boolean({ description: 'All that are left.' })),
    reason: Reason,
  },
  { title: 'WithdrawVouchersBody' },
)

export const WithdrawalProposed = Type.Object(
  {
    approval_id: Uuid(),
    status: OneOf(['pending', 'done', 'same_waits'], {
      description: '`pending`: a second person has to confirm it. `same_waits`: an equal proposal waits, which is named.',
    }),
    count: Type.Integer(),
  },
  { title: 'WithdrawalProposed' },
)

export const FindVouchersQuery = Type.Object({
  text: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'A serial number, the id of a voucher, or the reference or id of the order that bought it.',
  }),
})

export const FoundVoucherList = Type.Object(
  {
    vouchers: Type.Array(
      Type.Object(
        {
          voucher_id: Uuid(),
          type_name: Type.String(),
          serial_end: Nullable(Type.String({ description: 'The last 4 characters of the serial number.' })),
          state: OneOf(['in_stock', 'sold', 'withdrawn']),
          imported_at: Moment(),
          sold_at: Nullable(Moment()),
          order_id: Nullable(Uuid()),
        },
        { title: 'FoundVoucher' },
      ),
    ),
  },
  { title: 'FoundVoucherList' },
)

export const VoucherParams = Type.Object({ voucher_id: Uuid() })

export const RevealVoucherBody = Type.Object({ reason: Reason }, { title: 'RevealVoucherBody' })

export const RevealedVoucher = Type.Object(
  {
    voucher_id: Uuid(),
    type_name: Type.String(),
    pin: Type.String(sensitive),
    serial_number: Type.String(sensitive),
  },
  { title: 'RevealedVoucher' },
)

import Type from 'typebox'
import { Ghs } from '../money/ghs.ts'
import { plainTextPattern } from '../platform/http/document/patterns-in-words.ts'
import { Nullable, OneOf, Uuid } from '../platform/http/schemas.ts'
import { AskedTimestamp, Timestamp, WithWireName } from '../platform/operations/fields.ts'
import { uploadBytesMax } from './store-upload.ts'

const Amount = (description = 'GHS.') => Nullable(Ghs({ description }))
const Count = () => Nullable(Type.Integer())
const Supplier = Type.String({ minLength: 1, maxLength: 100 })
const After = Type.Optional(Uuid({ description: 'The `next` of the page before.' }))
const Limit = Type.Integer({ minimum: 1, maximum: 200, default: 50 })
export const Text = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, pattern: plainTextPattern, description })

export const kinds = ['ours_only', 'theirs_only', 'amount_differs'] as const

export const StatementPath = Type.Object({ statementId: Uuid() })
export const UploadPath = Type.Object({ uploadId: Uuid() })
export const PartPath = Type.Object({ uploadId: Uuid(), partNo: Type.Integer({ minimum: 1, maximum: 1_000 }) })

export const UploadBody = Type.Object(
  {
    supplier: Supplier,
    fileName: Text(200, 'As the file is called; the history names it so.'),
    size: Type.Integer({ minimum: 1, description: `Bytes; at most ${uploadBytesMax}.` }),
  },
  { additionalProperties: false },
)

export const UploadBegun = Type.Object(
  {
    uploadId: Uuid(),
    partBytes: Type.Integer({ description: 'Every part but the last has so many bytes.' }),
    parts: Type.Integer(),
  },
  { title: 'UploadBegun' },
)

export const PartKept = Type.Object({ partNo: Type.Integer() }, { title: 'PartKept' })

export const StatementImportBody = Type.Object(
  {
    from: Type.Optional(AskedTimestamp({ description: 'The time that the statement covers, where its lines do not say so.' })),
    to: Type.Optional(AskedTimestamp()),
  },
  { additionalProperties: false },
)

/** Results of an import: how many lines, and their sums in GHS. Null: the statement was imported before these were stored. */
const findings = {
  matched: Count(),
  matched_amount: Amount(),
  ours_only: Count(),
  ours_only_amount: Amount('GHS, by our books.'),
  theirs_only: Count(),
  theirs_only_amount: Amount('GHS, by the statement.'),
  amount_differs: Count(),
  amount_differs_theirs: Amount(),
  amount_differs_ours: Amount(),
  not_billed: Count(),
  unreadable: Count(),
}

const statement = {
  id: WithWireName('statement_id', Uuid()),
  supplier: Type.String(),
  file_name: Type.String(),
  line_count: WithWireName('lines', Type.Integer()),
  covers_from: Nullable(Timestamp()),
  covers_to: Nullable(Timestamp()),
  imported_by: Type.String(),
  imported_at: Timestamp(),
  ...findings,
  open: Type.Integer({ description: 'How many of its differences are open now.' }),
}

export const SupplierStatement = Type.Object(
  {
    ...statement,
    unreadable_lines: Type.Array(
      Type.Object({ line_no: WithWireName('line', Type.Integer()), why: WithWireName('message', Type.String()) }),
      { description: 'The first of the lines that could not be read.' },
    ),
  },
  { title: 'SupplierStatement' },
)

export const StatementImported = Type.Object(
  {
    statementId: Uuid(),
    isNew: Type.Boolean({ description: 'False: the same file was imported before.' }),
    closedDifferences: Type.Integer({ description: 'Earlier differences that this statement explains.' }),
  },
  { title: 'StatementImported' },
)

export const StatementListQuery = Type.Object({ supplier: Type.Optional(Supplier), after: After, limit: Limit })

export const StatementList = Type.Object(
  { statements: Type.Array(Type.Object(statement)), next: Nullable(Uuid()), uploadBytesMax: Type.Integer() },
  { title: 'StatementList' },
)

const filters = {
  supplier: Type.Optional(Supplier),
  kind: Type.Optional(OneOf(kinds)),
  state: Type.Optional(OneOf(['open', 'closed'])),
  statementId: Type.Optional(Uuid()),
  assignedTo: Type.Optional(Text(100, 'A person’s name.')),
  reference: Type.Optional(Text(200, 'Our reference at the supplier.')),
}

export const DifferenceFilters = Type.Object(filters)
export const DifferenceListQuery = Type.Object({ ...filters, after: After, limit: Limit })

export const Difference = Type.Object(
  {
    id: WithWireName('difference_id', Uuid()),
    supplier: Type.String(),
    kind: OneOf(kinds),
    why: Nullable(Type.String({ description: 'Of `theirs_only`: `unknown_reference`, `not_delivered` or `billed_twice`.' })),
    reference: Type.String({ description: 'Ours at the supplier, as the line has it.' }),
    supplier_reference: Nullable(Type.String({ description: 'The supplier’s own.' })),
    order_id: Nullable(Uuid()),
    order_reference: Nullable(Type.String({ description: 'What the reseller calls the order.' })),
    order_status: Nullable(Type.String()),
    amount_theirs: Amount(),
    amount_ours: Amount(),
    amount_by: Amount(
      'GHS that the supplier charged too much by our books; below 0: too little. Null: our books know no amount.',
    ),
    commission_theirs: Amount(),
    commission_ours: Amount(),
    at: Nullable(Timestamp({ description: 'When it was billed; what was not billed: when it was sent.' })),
    statement_id: Uuid(),
    file_name: Type.String(),
    line_no: WithWireName('line', Nullable(Type.Integer())),
    found_at: Timestamp(),
    assigned_to: Nullable(Type.String()),
    closed_at: Nullable(Timestamp()),
    closed_by: Nullable(Type.String()),
    close_reason: Nullable(Type.String()),
  },
  { title: 'Difference' },
)

export const DifferenceList = Type.Object(
  { differences: Type.Array(Difference), next: Nullable(Uuid()) },
  { title: 'DifferenceList' },
)

export const OpenDifferenceSums = Type.Object(
  {
    sums: Type.Array(
      Type.Object({
        supplier: Type.String(),
        kind: OneOf(kinds),
        count: Type.Integer(),
        unassigned: Type.Integer(),
        amount_theirs: Ghs({ description: 'GHS.' }),
        amount_ours: Ghs({ description: 'GHS.' }),
        amount_by: Ghs({ description: 'GHS that the supplier charged too much by our books.' }),
      }),
    ),
    people: Type.Array(Type.Object({ name: Type.String(), email: Type.String() }), {
      description: 'Who may reconcile, and so may be asked to find out.',
    }),
  },
  { title: 'OpenDifferenceSums' },
)

export const FloatDaysQuery = Type.Object({ supplier: Supplier, days: Type.Integer({ minimum: 1, maximum: 62, default: 14 }) })

const FloatRead = Type.Unsafe<{ float: number; at: string } | null>({
  type: ['object', 'null'],
  properties: { float: { type: 'number', description: 'GHS.' }, at: { type: 'string', format: 'date-time' } },
  required: ['float', 'at'],
})

const FloatAmount = (description: string) => Nullable(Type.Number({ description }))

export const FloatDays = Type.Object(
  {
    tolerance: Type.Number({ description: 'GHS. A drift above it raises an alarm.' }),
    days: Type.Array(
      Type.Object({
        day: Type.String({ description: 'YYYY-MM-DD, in Accra.' }),
        opening: FloatRead,
        closing: FloatRead,
        moved: FloatAmount('GHS by which the float changed; null: it was not read twice.'),
        expected: FloatAmount('GHS by which it should have changed by our books.'),
        costs: Type.Number(),
        refunds: Type.Number(),
        top_ups: Type.Number(),
        in_doubt: Type.Number({ description: 'GHS of orders that the supplier may or may not have taken.' }),
        orders_without_cost: Type.Integer(),
        drift: FloatAmount('GHS that nothing explains.'),
      }),
    ),
  },
  { title: 'FloatDays' },
)

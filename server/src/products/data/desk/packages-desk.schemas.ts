import Type, { type Static } from 'typebox'
import { GhsAmount, Moment, Nullable, Omissible, OneOf, Uuid } from '../../../platform/http/schemas.ts'
import { dataNetworks } from '../data.schemas.ts'
import type { CellValue } from '../history/package-cells.ts'

export const roleNames = ['customer', 'agent', 'dealer'] as const

/** The most bytes of a body with a price list, which may be larger than other bodies. */
export const priceListBytes = 4_194_304

/** Reason of `longWork`: these routes may take longer than others. */
export const priceListWork = 'A price list may have 5,000 rows, each compared with its package.'

const amountMax = 1_000_000
const printable = '^[^\\u0000-\\u001f\\u007f]*$'

const VolumeGb = () => Type.Number({ exclusiveMinimum: 0, maximum: 999_999, description: 'At most 3 decimals.', examples: [1] })

/** An amount for each role, in GHS. */
const ByRole = (title: string, description: string) =>
  Type.Object({ customer: Type.Number(), agent: Type.Number(), dealer: Type.Number() }, { title, description })

const GridOffer = Type.Object(
  {
    supplier: Type.String(),
    code: Type.String({ description: 'What the supplier calls the package.' }),
    cost: Type.Number({ description: 'In GHS.' }),
    closed_at: Nullable(Moment({ description: 'Since when nothing is sent there; null: the offer is open.' })),
    closed_because: Nullable(Type.String({ description: 'What the supplier said when it refused our request.' })),
    is_loss: Type.Boolean({ description: 'Whether the supplier asks more than the lowest price.' }),
  },
  { title: 'GridOffer' },
)

export const GridPackage = Type.Object(
  {
    package_id: Uuid(),
    network: OneOf(dataNetworks),
    volume_gb: Type.Number(),
    size: Type.String({ examples: ['1GB'] }),
    prices: ByRole('GridPrices', 'In GHS.'),
    margins: Type.Unsafe<{ customer: number; agent: number; dealer: number } | null>({
      ...ByRole('GridMargins', 'Price less cost, in GHS, at the supplier that delivers now; null while none does.'),
      type: ['object', 'null'],
    }),
    cost: Nullable(Type.Number({ description: 'What the supplier that delivers now asks, in GHS.' })),
    supplier: Nullable(Type.String({ description: 'Who delivers now: the first route whose supplier offers it.' })),
    is_available: Type.Boolean({ description: 'False: switched off.' }),
    stock: Nullable(Type.Integer({ description: 'Null: unlimited.' })),
    offers: Type.Array(GridOffer),
    scheduled: Nullable(Moment({ description: 'The next minute at which a price of it changes.' })),
    scheduled_set_id: Nullable(Uuid()),
  },
  { title: 'GridPackage' },
)

export const PackageGrid = Type.Object(
  {
    packages: Type.Array(GridPackage),
    networks: Type.Array(OneOf(dataNetworks)),
    suppliers: Type.Array(Type.String(), { description: 'Who can offer packages.' }),
  },
  { title: 'PackageGrid' },
)

const OfferCells = Type.Object(
  {
    supplier: Type.String({ minLength: 1, maxLength: 100 }),
    code: Type.String({ minLength: 1, maxLength: 100, pattern: printable }),
    cost: GhsAmount({ maximum: amountMax }),
  },
  { title: 'OfferCells' },
)

const PackageCells = Type.Object(
  {
    network: OneOf(dataNetworks),
    volume_gb: VolumeGb(),
    price_customer: Type.Optional(GhsAmount({ maximum: amountMax })),
    price_agent: Type.Optional(GhsAmount({ maximum: amountMax })),
    price_dealer: Type.Optional(GhsAmount({ maximum: amountMax })),
    is_available: Type.Optional(Type.Boolean()),
    stock: Type.Optional(
      Nullable(Type.Integer({ minimum: 0, maximum: 999_999_999, description: 'Null: unlimited. Left out: as it is.' })),
    ),
    offers: Type.Optional(
      Type.Array(OfferCells, { maxItems: 50, description: 'Offers that are new or changed; each is opened.' }),
    ),
    offers_removed: Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 50, description: 'Suppliers.' })),
  },
  { title: 'PackageCells' },
)

const PriceShiftBody = Type.Object(
  {
    package_ids: Type.Optional(Type.Array(Uuid(), { maxItems: 10_000, description: 'Left out: all, or all of the network.' })),
    network: Type.Optional(OneOf(dataNetworks)),
    roles: Type.Array(OneOf(roleNames), { minItems: 1, maxItems: 3, description: 'Whose prices move.' }),
    percent: Type.Optional(
      Type.Number({ minimum: -99.99, maximum: 1_000, 'x-decimals': 2, description: 'Below 0 to lower.', examples: [5] }),
    ),
    amount: Type.Optional(
      Type.Number({ minimum: -amountMax, maximum: amountMax, 'x-decimals': 2, description: 'In GHS, below 0 to lower.' }),
    ),
    round_to: Type.Unsafe<1 | 5 | 10>({
      type: 'integer',
      enum: [1, 5, 10],
      description: 'Prices end on a multiple of so many pesewas, the nearest one.',
    }),
  },
  { title: 'PriceShift', description: 'Moves many prices: by `percent` or by `amount`.' },
)

/** A change of the price list, in one of three forms. */
export const packageEditFields = {
  cells: Omissible(Type.Array(PackageCells, { minItems: 1, maxItems: 1_000 })),
  shift: Omissible(PriceShiftBody),
  file: Omissible(Type.String({ maxLength: 3_000_000, description: 'A price list, as `makola packages import` takes it.' })),
}

export const belowCostField = Type.Boolean({ description: 'Insists on prices below a supplier’s cost. Needs words why.' })
export const seenField = Type.String({ pattern: '^[0-9a-f]{64}$', description: 'From the preview: only what was shown is done.' })
export const PrintableText = (description: string) => Type.String({ maxLength: 500, pattern: printable, description })

export const EditBody = Type.Object(packageEditFields, { title: 'PackageEdit', description: 'One of the three fields.' })
export type EditBody = Static<typeof EditBody>

export const ApplyBody = Type.Object(
  {
    ...packageEditFields,
    seen: seenField,
    is_below_cost_allowed: belowCostField,
    reason: Omissible(PrintableText('Why; it stays in the audit log.')),
  },
  { title: 'ConfirmedPackageEdit' },
)

const Cell = Type.Unsafe<CellValue>({ type: ['number', 'string', 'boolean', 'null'] })

const ChangedColumn = Type.Object(
  {
    column: Type.String({ description: 'As in a price list: `price_agent`, `cost_datamart`.' }),
    before: Cell,
    after: Cell,
  },
  { title: 'ChangedColumn' },
)

export const EditPreviewView = Type.Object(
  {
    new: Type.Integer(),
    changed: Type.Integer(),
    unchanged: Type.Integer(),
    packages: Type.Array(
      Type.Object(
        {
          name: Type.String({ examples: ['MTN 1GB'] }),
          line: Nullable(Type.Integer({ description: 'The line of the file.' })),
          change: OneOf(['new', 'changed']),
          columns: Type.Array(ChangedColumn),
          margins: Type.Unsafe<{ customer: number; agent: number; dealer: number } | null>({
            ...ByRole('MarginsAfter', 'Afterwards, in GHS, at the supplier that delivers; null where none does.'),
            type: ['object', 'null'],
          }),
        },
        { title: 'PackageDifference' },
      ),
      { description: 'The first 1,000 that would be new or changed.' },
    ),
    losses: Type.Array(
      Type.Object(
        { name: Type.String(), supplier: Type.String(), message: Type.String(), loss: Type.Number() },
        { title: 'PackageLoss' },
      ),
      { description: 'What would be sold below cost afterwards, the first 1,000; refused unless it is allowed.' },
    ),
    losses_in_all: Type.Integer(),
    not_in_file: Type.Array(Type.String(), { description: 'Packages that the file leaves as they are.' }),
    seen: seenField,
  },
  { title: 'PackageEditPreview' },
)

export const EditDone = Type.Object({ changed: Type.Integer(), unchanged: Type.Integer() }, { title: 'PackageEditDone' })

export const PackagePath = Type.Object({ package_id: Uuid() })

export const HistoryQuery = Type.Object({
  before: Type.Optional(
    Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'The `next` of the page before.' }),
  ),
})

export const PackageHistory = Type.Object(
  {
    changes: Type.Array(
      Type.Object(
        {
          change_id: Type.Integer(),
          at: Moment(),
          actor: Type.String(),
          action: Type.String(),
          reason: Nullable(Type.String()),
          columns: Type.Array(ChangedColumn),
        },
        { title: 'PackageHistoryLine' },
      ),
    ),
    next: Nullable(Type.Integer()),
  },
  { title: 'PackageHistory' },
)

export const ReopenBody = Type.Object(
  { network: OneOf(dataNetworks), volume_gb: VolumeGb(), supplier: Type.String({ minLength: 1, maxLength: 100 }) },
  { title: 'ReopenOffer' },
)

export const Reopened = Type.Object({ is_reopened: Type.Boolean({ description: 'False: it was open already.' }) })

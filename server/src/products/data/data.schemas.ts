import Type, { type Static } from 'typebox'
import { referenceLengthMax } from '../../orders/order-reference.ts'
import { printablePattern } from '../../platform/http/document/patterns-in-words.ts'
import { Moment, OneOf, Uuid } from '../../platform/http/schemas.ts'

/** The networks that data bundles are sold for (contract, What the service does). */
export const dataNetworks = ['MTN', 'Telecel', 'AT-iShare', 'AT-BigTime'] as const

export type DataNetwork = (typeof dataNetworks)[number]

const Network = (description: string) => OneOf(dataNetworks, { description })

const Reference = Type.String({
  minLength: 1,
  maxLength: referenceLengthMax,
  pattern: printablePattern,
  description:
    'Your own name for this order, unique over all developers and for ever; 1 to 100 characters. Retry with the same reference and you are never charged twice.',
  examples: ['order-2026-0001'],
})

export const PackageQuery = Type.Object({
  network: Type.Optional(Network('Only packages of this network. Case-sensitive.')),
  size_gb: Type.Optional(Type.Number({ description: 'Only packages of exactly this size.', examples: [1] })),
})

export const Package = Type.Object(
  {
    id: Uuid(),
    network: Network('The network.'),
    size: Type.String({ examples: ['1GB'] }),
    volume_gb: Type.Number({ examples: [1] }),
    price: Type.Number({ description: 'For your role, in GHS.', examples: [4.5] }),
    currency: Type.Literal('GHS'),
  },
  { title: 'Package' },
)

export const PackageList = Type.Object({ packages: Type.Array(Package), total: Type.Integer() }, { title: 'PackageList' })

export const DataPurchaseBody = Type.Object(
  {
    network: Network('The network of the package. Case-sensitive.'),
    volume_gb: Type.Number({
      exclusiveMinimum: 0,
      description: 'Must match an available package; see GET /packages.',
      examples: [1],
    }),
    recipient: Type.String({ pattern: '^0[0-9]{9}$', description: '10 digits starting with 0.', examples: ['0241234567'] }),
    reference: Reference,
  },
  { title: 'DataPurchaseBody' },
)

export type DataPurchaseBody = Static<typeof DataPurchaseBody>

/** The most orders of one batch (contract, Limits). */
export const bulkOrdersMax = 100

export const DataBulkBody = Type.Object(
  {
    orders: Type.Array(DataPurchaseBody, { minItems: 1, maxItems: bulkOrdersMax }),
  },
  { title: 'DataBulkBody' },
)

export type DataBulkBody = Static<typeof DataBulkBody>

const orderFields = {
  order_id: Uuid(),
  reference: Type.String(),
  status: OneOf(['pending', 'queued', 'processing', 'completed', 'failed', 'refunded'], {
    description: '`queued`: an MTN number that must be registered first; the order goes on by itself.',
  }),
  network: Network('The network.'),
  size: Type.String({ examples: ['1GB'] }),
  recipient: Type.String(),
  price: Type.Number({ description: 'What was charged, in GHS.' }),
  source: Type.String({ description: '`api` for orders placed here.' }),
}

export const DataOrder = Type.Object({ ...orderFields, created_at: Moment() }, { title: 'DataOrder' })

export const DataPurchase = Type.Object(
  {
    ...orderFields,
    new_balance: Type.Number({ description: 'The wallet after this purchase, in GHS; on a replay the wallet now.' }),
  },
  { title: 'DataPurchase' },
)

export const DataBulk = Type.Object(
  {
    orders_placed: Type.Integer({ description: 'Entries in `orders`.' }),
    total_cost: Type.Number({ description: 'What this call charged, in GHS.' }),
    new_balance: Type.Number(),
    orders: Type.Array(
      Type.Object(
        {
          ...orderFields,
          already_processed: Type.Optional(
            Type.Literal(true, { description: 'Present when an earlier call placed this order; it was not charged again.' }),
          ),
        },
        { title: 'DataBulkOrder' },
      ),
    ),
    skipped: Type.Array(Type.Object({ recipient: Type.String(), reason: Type.String() }, { title: 'SkippedDataOrder' }), {
      description: 'Orders that the whitelist gate left out: not placed, not charged, their references free.',
    }),
  },
  { title: 'DataBulk' },
)

export const VerifyNumberBody = Type.Object(
  {
    network: Network('The network. On any but MTN every number is allowed.'),
    recipient: Type.String({ pattern: '^0[0-9]{9}$', description: '10 digits starting with 0.', examples: ['0241234567'] }),
  },
  { title: 'VerifyNumberBody' },
)

export type VerifyNumberBody = Static<typeof VerifyNumberBody>

const numberCheckFields = { recipient: Type.String(), network: Network('The network.') }

const Allowed = (description: string) => Type.Boolean({ description })

export const NumberCheck = Type.Object(
  {
    ...numberCheckFields,
    allowed: Allowed('Whether the number may be sold to now. No guarantee: a purchase checks again.'),
  },
  { title: 'NumberCheck' },
)

export const ServerNumberCheck = (server: 1 | 2) =>
  Type.Object(
    {
      ...numberCheckFields,
      server: Type.Unsafe<1 | 2>({ type: 'integer', const: server, description: 'The server that was asked.' }),
      allowed: Allowed('Whether the number is registered on this server.'),
    },
    { title: `NumberCheckOnServer${server}` },
  )

export const OrderReferenceParams = Type.Object({
  reference: Type.String({ description: 'The reference of the order, percent-encoded, or its id.' }),
})

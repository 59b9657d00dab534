import Type, { type Static } from 'typebox'
import { referenceLengthMax } from '../../orders/order-reference.ts'
import { printablePattern } from '../../platform/http/document/patterns-in-words.ts'
import { GhsAmount, OneOf, Uuid } from '../../platform/http/schemas.ts'

/** The networks that airtime is sold for (contract, What the service does). */
export const airtimeNetworks = ['MTN', 'Telecel', 'AT'] as const

export type AirtimeNetwork = (typeof airtimeNetworks)[number]

const statuses = ['pending', 'processing', 'completed', 'failed', 'refunded'] as const

export type AirtimeStatus = (typeof statuses)[number]

export const AirtimePurchaseBody = Type.Object(
  {
    network: OneOf(airtimeNetworks, { description: 'The network of the number. Case-sensitive.' }),
    beneficiary_phone: Type.String({
      pattern: '^0[0-9]{9}$',
      description: 'Who receives the airtime: 10 digits starting with 0.',
      examples: ['0241234567'],
    }),
    amount: GhsAmount({
      description:
        'What the beneficiary receives and exactly what is paid, in GHS with at most 2 decimals. Between the bounds of the network: 1 and 100 unless we set others.',
      examples: [5],
    }),
    reference: Type.String({
      minLength: 3,
      maxLength: referenceLengthMax,
      pattern: printablePattern,
      description:
        'Your own name for this order, unique over all developers and for ever; 3 to 100 characters. Retry with the same reference and you are never charged twice.',
      examples: ['airtime-2026-0001'],
    }),
  },
  { title: 'AirtimePurchaseBody' },
)

export type AirtimePurchaseBody = Static<typeof AirtimePurchaseBody>

const listedFields = {
  order_id: Uuid(),
  reference: Type.String(),
  status: OneOf(statuses),
  network: OneOf(airtimeNetworks),
  airtime_amount: Type.Number({ description: 'What the beneficiary receives, in GHS.', examples: [5] }),
}

const orderFields = {
  ...listedFields,
  beneficiary_phone: Type.String(),
  fee_amount: Type.Literal(0, { description: 'No fee is charged.' }),
}

const Reason = Type.Optional(Type.String({ description: 'Why the money went back; only when `status` is `refunded`.' }))

export const AirtimePurchase = Type.Object(
  {
    ...orderFields,
    total_paid: Type.Number({ description: 'What was charged, in GHS; equals the amount.', examples: [5] }),
    new_balance: Type.Number({ description: 'The wallet after this purchase, in GHS; on a replay the wallet now.' }),
    reason: Reason,
  },
  { title: 'AirtimePurchase' },
)

export const AirtimeOrder = Type.Object(
  {
    ...orderFields,
    reason: Reason,
  },
  { title: 'AirtimeOrder' },
)

export const AirtimeOrderList = Type.Object(
  { orders: Type.Array(Type.Object(listedFields, { title: 'ListedAirtimeOrder' })) },
  { title: 'AirtimeOrderList' },
)

export const AirtimeReferenceParams = Type.Object({
  reference: Type.String({ description: 'The reference of the order, percent-encoded, or its id.' }),
})

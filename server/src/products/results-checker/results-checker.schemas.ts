import Type, { type Static } from 'typebox'
import { referenceLengthMax } from '../../orders/order-reference.ts'
import { printablePattern } from '../../platform/http/document/patterns-in-words.ts'
import { Omissible, OneOf, sensitive, Uuid } from '../../platform/http/schemas.ts'
import { WithWireName } from '../../platform/operations/fields.ts'

const statuses = ['completed', 'refunded'] as const

export type VoucherOrderStatus = (typeof statuses)[number]

/** The longest address there is (RFC 5321, section 4.5.3.1.3, without the angle brackets). */
const emailLengthMax = 254

/** The type in the documentation's examples. The demo has a type with this id, so the examples work there. */
export const exampleTypeId = '0199f3a2-6c1e-7d40-9b52-3f0a6c8e1d77'

export const VoucherType = Type.Object(
  {
    type_id: Uuid({ examples: [exampleTypeId] }),
    name: Type.String({ examples: ['WASSCE'] }),
    price: Type.Number({ description: 'Of one voucher, for your role, in GHS.', examples: [17.5] }),
    available_count: Type.Integer({ description: 'Vouchers in stock now.' }),
    is_active: Type.Boolean({ description: 'False: listed but not on sale.' }),
  },
  { title: 'VoucherType' },
)

export const VoucherTypeList = Type.Object({ types: Type.Array(VoucherType) }, { title: 'VoucherTypeList' })

// The contract writes three of these names in camel case. The app uses the same names.
export const VoucherPurchaseBody = Type.Object(
  {
    typeId: WithWireName(
      'typeId',
      Type.String({
        format: 'uuid',
        // The format alone would also accept `urn:uuid:…`, which is never one of our ids.
        pattern: '^[0-9a-fA-F]{8}-',
        description: 'A `type_id` of GET /resultschecker/types.',
        examples: [exampleTypeId],
      }),
    ),
    quantity: Type.Integer({ minimum: 1, description: 'How many vouchers, at least 1.', examples: [1] }),
    reference: Type.String({
      minLength: 1,
      maxLength: referenceLengthMax,
      pattern: printablePattern,
      description:
        'Your own name for this order, unique over all developers and for ever; 1 to 100 characters. Retry with the same reference and you are never charged twice.',
      examples: ['vouchers-2026-0001'],
    }),
    recipientPhone: Omissible(
      WithWireName(
        'recipientPhone',
        Type.String({
          pattern: '^(0|233)[0-9]{9}$',
          description: 'Sends the vouchers to this number by SMS as well, as a courtesy: 0XXXXXXXXX or 233XXXXXXXXX.',
          examples: ['0241234567'],
        }),
      ),
    ),
    recipientEmail: Omissible(
      WithWireName(
        'recipientEmail',
        Type.String({
          ...sensitive,
          format: 'email',
          maxLength: emailLengthMax,
          description: 'Sends the vouchers to this address by e-mail as well, as a courtesy.',
        }),
      ),
    ),
  },
  { title: 'VoucherPurchaseBody' },
)

export type VoucherPurchaseBody = Static<typeof VoucherPurchaseBody>

export const VoucherOrder = Type.Object(
  {
    id: Uuid(),
    reference: Type.String(),
    status: OneOf(statuses, { description: '`completed` at once; `refunded` when we took it back.' }),
    type_name: Type.String({ examples: ['WASSCE'] }),
    quantity: Type.Integer({ examples: [1] }),
    unit_price: Type.Number({ description: 'What one voucher cost, in GHS.' }),
    total_paid: Type.Number({ description: 'What was charged, in GHS.' }),
  },
  { title: 'VoucherOrder' },
)

export const Voucher = Type.Object(
  { id: Uuid(), pin: Type.String(sensitive), serial_number: Type.String(sensitive) },
  { title: 'Voucher' },
)

const soldFields = {
  order: VoucherOrder,
  vouchers: Type.Array(Voucher, { description: 'The authoritative copy; courtesy messages are an extra.' }),
}

export const VoucherPurchase = Type.Object(
  {
    ...soldFields,
    new_balance: Type.Number({ description: 'The wallet after this purchase, in GHS; on a replay the wallet now.' }),
  },
  { title: 'VoucherPurchase' },
)

export const VoucherRecall = Type.Object(soldFields, { title: 'VoucherRecall' })

export const VoucherOrderList = Type.Object({ orders: Type.Array(VoucherOrder) }, { title: 'VoucherOrderList' })

export const VoucherReferenceParams = Type.Object({
  reference: Type.String({ description: 'The reference of the order, percent-encoded, or its id.' }),
})

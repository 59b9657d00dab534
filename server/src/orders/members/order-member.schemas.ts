import Type from 'typebox'
import { Ghs } from '../../money/ghs.ts'
import { AskedDay, Nullable, OneOf, Uuid } from '../../platform/http/schemas.ts'
import { Timestamp } from '../../platform/operations/fields.ts'
import { orderStatuses } from '../order-life-cycle.ts'
import type { Wait } from './waits.ts'

const Day = (description: string) => AskedDay({ description })

/** The filters of the list of orders, and of its CSV file. */
export const orderFilters = {
  product: Type.Optional(Type.String({ maxLength: 40, description: 'Of this product, such as `data`.' })),
  network: Type.Optional(Type.String({ maxLength: 40, description: 'On this network, or to this biller.' })),
  person: Type.Optional(Uuid({ description: 'Placed in the app by this member.' })),
  slow: Type.Optional(OneOf(['yes'], { description: 'Only orders that take longer than an hour.' })),
  status: Type.Optional(OneOf(orderStatuses)),
  from: Type.Optional(Day('Placed on this day or later; Accra’s days.')),
  to: Type.Optional(Day('Placed on this day or before.')),
  search: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 120,
      description: 'A reference or an id; else a phone number in any way of writing it, a meter or a smartcard.',
    }),
  ),
}

export const OrderFilters = Type.Object(orderFilters)
export const OrderListQuery = Type.Object({
  ...orderFilters,
  after: Type.Optional(Uuid({ description: 'The `next` of the page before.' })),
})

export const OrderLine = Type.Object(
  {
    orderId: Uuid(),
    reference: Type.String(),
    product: Type.String({ examples: ['data'] }),
    network: Nullable(Type.String({ description: 'The network, or the biller of a bill.' })),
    variety: Nullable(Type.String({ description: 'Which of its kind: `5GB`, or the type of a voucher.' })),
    recipient: Type.String(),
    price: Type.Number({ description: 'In the unit beside it.' }),
    unit: OneOf(['GHS', 'credits']),
    status: OneOf(orderStatuses),
    waitsFor: Type.Unsafe<Wait | null>({
      type: ['string', 'null'],
      enum: ['registration', 'answer', 'supplier', 'person', null],
      description: 'What an open order stands still for.',
    }),
    createdAt: Timestamp(),
  },
  { title: 'OrderLine' },
)

export const OrderPageView = Type.Object(
  {
    orders: Type.Array(OrderLine),
    next: Nullable(Uuid({ description: 'Where the next page begins; null: this is the last one.' })),
  },
  { title: 'OrderPage' },
)

const Step = Type.Object(
  {
    at: Timestamp(),
    step: OneOf(
      [
        'paid',
        'waits_for_registration',
        'registered',
        'sent',
        'sent_again',
        'taken',
        'no_answer',
        'asked',
        'turned_away',
        'delivered',
        'failed',
        'cancelled',
        'refunded',
        'reported',
        'answered',
      ],
      { description: 'What happened. Suppliers are not named, and their own words are never shown.' },
    ),
    count: Nullable(Type.Integer({ description: 'How many times we asked.' })),
    reason: Nullable(Type.String({ description: 'Why, in words for the order’s owner.' })),
  },
  { title: 'OrderStep' },
)

export const OrderReportView = Type.Object(
  {
    reason: Type.String(),
    reportedAt: Timestamp(),
    answer: Nullable(Type.String()),
    answeredAt: Nullable(Timestamp()),
  },
  { title: 'OrderReport' },
)

export const AccountOrder = Type.Object(
  {
    order: OrderLine,
    holder: Nullable(Type.String({ description: 'The account holder’s name that the biller gave.' })),
    source: Type.String({ description: 'Where the order came from.', examples: ['api', 'web'] }),
    boughtBy: Nullable(Type.String({ description: 'Who placed it in the app; null: a program.' })),
    endedAt: Nullable(Timestamp()),
    commissionPesewas: Nullable(Ghs({ description: 'What the order earned you, in GHS.' })),
    steps: Type.Array(Step),
    usualMinutes: Nullable(
      Type.Number({ description: 'Half of the orders of this product and network of the last days took no longer.' }),
    ),
    mayReport: Type.Boolean({ description: 'Whether it can be said of this order that it did not arrive.' }),
    report: Type.Union([OrderReportView, Type.Null()]),
  },
  { title: 'AccountOrder' },
)

export const OrderStatesBody = Type.Object({
  orderIds: Type.Array(Uuid(), { maxItems: 100, description: 'Orders of the account. Others are left out of the answer.' }),
  references: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 120 }), {
      maxItems: 100,
      description: 'Orders by the references under which the account placed them. Those without an order are left out.',
    }),
  ),
})
export const OrderStates = Type.Object(
  {
    orders: Type.Array(
      Type.Object({ orderId: Uuid(), status: OneOf(orderStatuses), recipient: Type.String() }, { title: 'OrderStateNow' }),
    ),
  },
  { title: 'OrderStates' },
)

export const OrderPath = Type.Object({
  order: Type.String({ minLength: 1, maxLength: 120, description: 'A reference or an id.' }),
})
export const OrderIdPath = Type.Object({ orderId: Uuid() })
export const ReportBody = Type.Object({
  reason: Type.String({ maxLength: 500, description: 'What is known about it; may be empty.' }),
})

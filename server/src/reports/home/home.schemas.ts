import Type from 'typebox'
import { Ghs } from '../../money/ghs.ts'
import { Purses } from '../../money/members/wallet-member.schemas.ts'
import { OrderLine } from '../../orders/members/order-member.schemas.ts'
import { Nullable, OneOf } from '../../platform/http/schemas.ts'
import { Timestamp } from '../../platform/operations/fields.ts'

export const HomeFigures = Type.Object({
  purses: Purses,
  pace: Type.Object({
    perDayPesewas: Nullable(Ghs({ description: 'What was spent a day lately, in GHS; null: nothing was bought.' })),
    daysLeft: Nullable(Type.Number({ description: 'How long the main wallet lasts at this pace.' })),
    emptyAt: Nullable(Timestamp({ description: 'When it is empty at this pace.' })),
    lowBalancePesewas: Nullable(Ghs({ description: 'The balance below which the account gets a notice, in GHS.' })),
    isLow: Type.Boolean({ description: 'Whether it lasts less than three days or is below what the account set.' }),
  }),
  today: Type.Object({
    salesPesewas: Ghs({ description: 'In GHS, without what came back.' }),
    orders: Type.Integer(),
    salesBeforePesewas: Ghs({ description: 'The same weekday last week, by this time of the day.' }),
    ordersBefore: Type.Integer(),
    hours: Type.Array(Ghs(), { description: 'Added up to the end of each hour, the present one included.' }),
    hoursBefore: Type.Array(Ghs(), { description: 'The same of the whole day last week.' }),
  }),
  week: Type.Object({
    days: Type.Array(
      Type.Object({
        day: Type.String({ format: 'date' }),
        salesPesewas: Nullable(Ghs({ description: 'In GHS; null: the day is not counted yet.' })),
      }),
    ),
    salesPesewas: Nullable(Ghs({ description: 'Of the last seven days, today included; null: none of them is counted yet.' })),
    salesBeforePesewas: Nullable(Ghs({ description: 'Of the seven days before; null: not all of them are counted yet.' })),
    countedFrom: Nullable(
      Type.String({
        format: 'date',
        description: 'The sales are those since this day: the days before are not counted yet. Null: all seven are, or none.',
      }),
    ),
  }),
  needs: Type.Object({
    orders: Type.Array(
      Type.Object({
        what: OneOf(['queued', 'slow', 'failed'], { description: '`failed`: today, with the money back or coming back.' }),
        count: Type.Integer({ description: 'At most 99 of those that are queued are counted.' }),
        isMore: Type.Boolean({ description: 'Whether there are more than `count`.' }),
        order: OrderLine,
      }),
    ),
    keys: Type.Array(Type.Object({ type: OneOf(['standard', 'sms', 'commission']), createdAt: Timestamp() })),
  }),
  newest: Type.Array(OrderLine),
})

import Type from 'typebox'
import { Purses } from '../../money/members/wallet-member.schemas.ts'
import { OrderLine } from '../../orders/members/order-member.schemas.ts'
import { Moment, Nullable, OneOf } from '../../platform/http/schemas.ts'

const ghsAmount = (description: string) => Type.Number({ description })

export const HomeFigures = Type.Object({
  purses: Purses,
  pace: Type.Object({
    per_day: Nullable(ghsAmount('What was spent a day lately, in GHS; null: nothing was bought.')),
    days_left: Nullable(Type.Number({ description: 'How long the main wallet lasts at this pace.' })),
    empty_at: Nullable(Moment({ description: 'When it is empty at this pace.' })),
    low_balance: Nullable(ghsAmount('The balance below which the account gets a notice, in GHS.')),
    is_low: Type.Boolean({ description: 'Whether it lasts less than three days or is below what the account set.' }),
  }),
  today: Type.Object({
    sales: ghsAmount('In GHS, without what came back.'),
    orders: Type.Integer(),
    sales_before: ghsAmount('The same weekday last week, by this time of the day.'),
    orders_before: Type.Integer(),
    hours: Type.Array(Type.Number(), { description: 'Added up to the end of each hour, the present one included.' }),
    hours_before: Type.Array(Type.Number(), { description: 'The same of the whole day last week.' }),
  }),
  week: Type.Object({
    days: Type.Array(
      Type.Object({
        day: Type.String({ format: 'date' }),
        sales: Nullable(ghsAmount('In GHS; null: the day is not counted yet.')),
      }),
    ),
    sales: Nullable(ghsAmount('Of the last seven days, today included; null: none of them is counted yet.')),
    sales_before: Nullable(ghsAmount('Of the seven days before; null: not all of them are counted yet.')),
    counted_from: Nullable(
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
        order: OrderLine,
      }),
    ),
    keys: Type.Array(Type.Object({ type: OneOf(['standard', 'sms', 'commission']), created_at: Moment() })),
  }),
  newest: Type.Array(OrderLine),
})

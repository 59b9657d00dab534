import Type, { type TSchemaOptions } from 'typebox'
import { AskedDay, Moment, Nullable, OneOf, Uuid } from '../../platform/http/schemas.ts'
import { Timestamp } from '../../platform/operations/fields.ts'
import { coverages } from '../counted-days.ts'
import { groupings } from '../read-sales.ts'
import { reportIntervals, scheduledReports } from '../schedules/report-schedules.ts'

const Day = (options: TSchemaOptions = {}) => Type.String({ ...options, format: 'date' })
const Ghs = (description?: string) => Type.Number(description === undefined ? {} : { description })

const period = {
  from: Type.Optional(AskedDay({ description: 'The first day, of Accra; 29 days before the last one if left out.' })),
  to: Type.Optional(AskedDay({ description: 'The last day, which counts whole; today if left out.' })),
}

export const PeriodQuery = Type.Object(period)
export const SalesQuery = Type.Object({ ...period, by: Type.Optional(OneOf(groupings, { description: '`day` if left out.' })) })
export const BalancesQuery = Type.Object({
  at: Type.Optional(AskedDay({ description: 'At the end of this day; now if left out.' })),
})

/** A figure. It is null while none of its days is counted. */
const Figure = (description?: string) => Nullable(Ghs(description))

const Coverage = () =>
  OneOf(coverages, {
    description:
      '`all` days are counted, those without sales as 0; `none` is yet, and the figures are null; `part`: the figures are those since `counted_from`.',
  })

const figures = {
  orders: Nullable(Type.Integer()),
  success_rate: Nullable(Type.Number({ description: 'Of the orders that ended, the part that was delivered: 0 to 1.' })),
  sales: Figure(),
  cost: Figure('Of what was delivered; less the commission that the supplier pays.'),
  cost_estimated: Figure('The part of the cost that was expected, because the supplier reported none.'),
  cost_unknown_orders: Nullable(
    Type.Integer({
      description:
        'Delivered orders and top-ups whose cost nobody has entered: it counts as nothing, so the margin is at most what stands here.',
    }),
  ),
  commission: Figure('What resellers were credited.'),
  commission_earned: Figure('What suppliers pay.'),
  refunds: Figure(),
  margin: Figure('Sales − refunds − cost − commission.'),
  margin_percent: Nullable(Type.Number({ description: 'Of sales − refunds.' })),
  adjustments: Figure('What two people gave or took back over ended orders; not in the margin.'),
  credits: Nullable(Type.Integer({ description: 'SMS credits that campaigns took.' })),
  credits_refunded: Nullable(Type.Integer()),
  counted: Coverage(),
}
const minutes = {
  median_minutes: Nullable(Type.Number()),
  p95_minutes: Nullable(Type.Number()),
}

const Figures = Type.Object({ ...figures, ...minutes }, { title: 'SalesFigures' })
const FiguresBefore = Type.Object(figures, { title: 'SalesFiguresBefore' })

const counted = {
  as_of: Nullable(Moment({ description: 'Everything before it is counted; null: nothing is counted yet.' })),
  counted_from: Nullable(Day({ description: 'Days before it are still being counted; null: all are counted.' })),
}

export const Sales = Type.Object(
  {
    from: Day(),
    to: Day(),
    by: OneOf(groupings),
    rows: Type.Array(
      Type.Object(
        {
          key: Type.String(),
          account_id: Type.Optional(Uuid()),
          account_name: Type.Optional(Type.String()),
          ...figures,
          ...minutes,
          before: FiguresBefore,
        },
        { title: 'SalesRow' },
      ),
    ),
    total: Figures,
    before: Type.Object({ from: Day(), to: Day(), total: Figures }),
    ...counted,
  },
  { title: 'SalesReport' },
)

export const Taxes = Type.Object(
  {
    from: Day(),
    to: Day(),
    rows: Type.Array(
      Type.Object({
        key: Type.String(),
        percent: Type.Number(),
        on: Type.String(),
        is_included: Type.Boolean(),
        base: Figure(),
        tax: Figure(),
        is_at_most: Type.Boolean({ description: 'Some costs were not entered, so this margin and its tax are at most so high.' }),
      }),
    ),
    total: Type.Object({ tax: Figure(), is_at_most: Type.Boolean(), counted: Coverage() }),
    ...counted,
  },
  { title: 'TaxReport' },
)

export const Balances = Type.Object(
  {
    at: Moment(),
    rows: Type.Array(Type.Object({ key: Type.String(), balance: Type.Number(), unit: Type.String() })),
    total: Type.Object({ owed: Ghs('In money: main and commission.') }),
  },
  { title: 'BalancesReport' },
)

export const Floats = Type.Object(
  {
    rows: Type.Array(
      Type.Object({
        key: Type.String({ description: 'The supplier.' }),
        enabled: Type.Boolean(),
        float: Nullable(Ghs()),
        read_at: Nullable(Moment()),
        cost_per_day: Figure('On average of the last 7 days, or of those that are counted.'),
        days_left: Nullable(Type.Number()),
      }),
    ),
    total: Type.Object({ float: Nullable(Ghs('Of the suppliers whose float is known; null: none is.')) }),
    counted: Coverage(),
    ...counted,
  },
  { title: 'FloatReport' },
)

export const ScheduleBody = Type.Object({
  report: OneOf(scheduledReports),
  by: Type.Optional(OneOf(groupings, { description: 'How sales are grouped; by product if left out.' })),
  every: OneOf(reportIntervals, { description: 'How often, and over which time: the day, week or month that has just ended.' }),
  hour: Type.Integer({ minimum: 0, maximum: 23, description: 'The hour of the day in Accra.' }),
})

export const Schedules = Type.Object(
  {
    schedules: Type.Array(
      Type.Object({
        scheduleId: Uuid(),
        report: OneOf(scheduledReports),
        by: OneOf(groupings),
        every: OneOf(reportIntervals),
        hour: Type.Integer(),
        nextAt: Timestamp(),
        sentFor: Nullable(Day({ description: 'The last day of the newest report that was sent.' })),
      }),
    ),
  },
  { title: 'ReportSchedules' },
)

export const SchedulePath = Type.Object({ scheduleId: Uuid() })

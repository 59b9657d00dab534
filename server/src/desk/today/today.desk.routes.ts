import Type from 'typebox'
import { ghs, ghsIfKnown, pesewas } from '../../money/pesewas.ts'
import type { Db } from '../../platform/database/database.ts'
import { Envelope, ok } from '../../platform/http/envelope.ts'
import type { Api } from '../../platform/http/route-types.ts'
import { Moment, Nullable } from '../../platform/http/schemas.ts'
import type { SalesFigures } from '../../reports/sales-figures.ts'
import { createTodayReader, type DeskToday } from '../../reports/today/read-desk-today.ts'

const GhsFigure = (description: string) => Type.Number({ description })
const Hour = Type.Object({ orders: Type.Integer(), sales: Type.Number() })

const TodayFigures = Type.Object(
  {
    orders: Nullable(Type.Integer({ description: 'Null, as every figure: the day is not counted yet.' })),
    sales: Nullable(GhsFigure('In GHS.')),
    margin: Nullable(GhsFigure('In GHS.')),
    margin_percent: Nullable(Type.Number()),
    cost_unknown_orders: Nullable(Type.Integer({ description: 'Above 0: the margin is at most so high.' })),
    refunds: Nullable(GhsFigure('In GHS.')),
    success_rate: Nullable(Type.Number({ description: 'From 0 to 1; null: no order has ended.' })),
    median_minutes: Nullable(Type.Number({ description: 'Half of the delivered orders took no longer.' })),
    p95_minutes: Nullable(Type.Number()),
  },
  { title: 'TodayFigures' },
)

const Today = Type.Object(
  {
    day: Type.String({ format: 'date' }),
    day_before: Type.String({ format: 'date', description: 'The same weekday last week.' }),
    sales: GhsFigure('So far, as the report of sales counts them: orders placed and SMS credits bought, before refunds.'),
    orders: Type.Integer(),
    sales_before: GhsFigure('By the same time last week.'),
    orders_before: Type.Integer(),
    hours: Type.Array(Hour, { description: 'Of today, the present hour included.' }),
    hours_before: Type.Array(Hour, { description: 'Of the whole day last week.' }),
    figures: TodayFigures,
    figures_before: TodayFigures,
    networks: Type.Array(Type.Object({ network: Type.String(), figures: TodayFigures, before: TodayFigures })),
    floats: Type.Array(
      Type.Object({
        supplier: Type.String(),
        float: Nullable(GhsFigure('When it was read last; null: not known.')),
        read_at: Nullable(Moment()),
        hours_left: Nullable(Type.Number({ description: 'At the pace of the last 7 days.' })),
      }),
    ),
    as_of: Nullable(Moment({ description: 'Up to when margin, refunds and times count; null: nothing is counted yet.' })),
    counted_from: Nullable(
      Type.String({ format: 'date', description: 'Days before it are still being counted; null: all are counted.' }),
    ),
  },
  { title: 'DeskToday' },
)

const viewFigures = (figures: SalesFigures | null) => ({
  orders: figures?.orders ?? null,
  sales: ghsIfKnown(figures?.salesPesewas),
  margin: ghsIfKnown(figures?.marginPesewas),
  margin_percent: figures?.marginPercent ?? null,
  cost_unknown_orders: figures?.costUnknownOrders ?? null,
  refunds: ghsIfKnown(figures?.refundsPesewas),
  success_rate: figures?.successRate ?? null,
  median_minutes: figures?.medianMinutes ?? null,
  p95_minutes: figures?.p95Minutes ?? null,
})

const viewHours = (hours: DeskToday['hours']) => hours.map(({ orders, sales }) => ({ orders, sales: ghs(pesewas(sales)) }))

const viewFloats = (floats: DeskToday['floats']) =>
  floats
    .filter(({ isEnabled }) => isEnabled)
    .map(({ supplier, floatPesewas, readAt, daysLeft }) => ({
      supplier,
      float: floatPesewas === null ? null : ghs(floatPesewas),
      read_at: readAt?.toISOString() ?? null,
      hours_left: daysLeft === null ? null : daysLeft * 24,
    }))

export function registerTodayRoutes(desk: Api, { db }: { readonly db: Db }): void {
  const readToday = createTodayReader(db)
  desk.get(
    '/today',
    {
      config: { permission: 'see' },
      schema: {
        operationId: 'deskToday',
        tags: ['Today'],
        summary: 'Sales, margin, refunds and delivery of today, beside the same day last week',
        response: { 200: Envelope(Today) },
      },
    },
    async () => {
      const today = await readToday()
      return ok({
        day: today.day,
        day_before: today.dayBefore,
        sales: ghs(today.sales),
        orders: today.orders,
        sales_before: ghs(today.salesBefore),
        orders_before: today.ordersBefore,
        hours: viewHours(today.hours),
        hours_before: viewHours(today.hoursBefore),
        figures: viewFigures(today.figures),
        figures_before: viewFigures(today.figuresBefore),
        networks: today.networks.map(({ network, figures, before }) => ({
          network,
          figures: viewFigures(figures),
          before: viewFigures(before),
        })),
        floats: viewFloats(today.floats),
        as_of: today.asOf?.toISOString() ?? null,
        counted_from: today.countedFrom,
      })
    },
  )
}

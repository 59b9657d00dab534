import { type RawBuilder, sql } from 'kysely'
import type { ProductFacts } from '../orders/product-facts.ts'
import type { Tx } from '../platform/database/database.ts'
import { rowsOf } from '../platform/database/rows-of.ts'
import { measures, waitColumns, waitLimitsSeconds } from './measures.ts'

/** Which rows of `transfers` and of `order_events` are counted: a condition on the columns of that table. */
export type Span = (table: 'transfers' | 'order_events') => RawBuilder<unknown>

/** The day in Accra of a moment. */
const dayOf = (moment: RawBuilder<unknown>) => sql`(${moment} at time zone 'Africa/Accra')::date`

const nobody = '00000000-0000-0000-0000-000000000000'

/** The facts of products that reports need. */
function reportedProducts(products: readonly ProductFacts[]): RawBuilder<unknown> {
  return rowsOf(products, {
    name: ['text', ({ name }) => name],
    package_field: ['text', ({ packageField }) => packageField ?? null],
    is_delivered_at_once: ['boolean', ({ fulfilledBy }) => fulfilledBy === 'stock'],
  }).as('products')
}

/**
 * The events in the rows of the span: transfers, and ends of orders. An order that the purchase itself delivers ends
 * with its debit.
 */
function happenings(span: Span, products: readonly ProductFacts[]): RawBuilder<unknown> {
  return sql`
    moved as materialized (
      select cause_id, kind, from_purse, to_purse, from_entry_no, to_entry_no, amount, created_at, ${dayOf(sql`created_at`)} as day
      from transfers where ${span('transfers')}
    ), ended as materialized (
      select order_id, to_status, created_at, ${dayOf(sql`created_at`)} as day
      from order_events where to_status in ('completed', 'failed', 'cancelled') and ${span('order_events')}
      union all
      select moved.cause_id, 'completed', moved.created_at, moved.day
      from moved join orders on orders.id = moved.cause_id
      join ${reportedProducts(products)} on products.name = orders.kind and products.is_delivered_at_once
      where moved.kind = 'purchase'
    )`
}

/**
 * The cost of each delivered order, as it was known when the order ended: what the supplier reported last, else the
 * expected cost of the attempt, less the commission that the supplier pays us.
 */
const deliveries = sql`
    delivered as materialized (
      select ended.order_id, ended.day, earned.base as commission,
        coalesce(said.reported_cost, attempt.expected_cost) - coalesce(earned.base, 0) as cost,
        said.reported_cost is null as is_estimate,
        width_bucket(extract(epoch from ended.created_at - orders.created_at)::float8,
          ${sql.lit(`{${waitLimitsSeconds.join(',')}}`)}::float8[]) as step
      from ended
      join orders on orders.id = ended.order_id
      left join order_commissions as earned on earned.order_id = ended.order_id
      left join lateral (
        select id, expected_cost from attempts
        where attempts.order_id = ended.order_id and outcome = 'delivered' order by attempt_no desc limit 1
      ) as attempt on true
      left join lateral (
        select reported_cost from attempt_answers
        where attempt_answers.attempt_id = attempt.id and reported_cost is not null and created_at <= ended.created_at
        order by answer_no desc limit 1
      ) as said on true
      where ended.to_status = 'completed'
    )`

/**
 * What each event adds to which measure on which day. Each event counts on the day on which it happened. There is one
 * exception: the supplier of a sale is known only when its order ends, and then it is added to the day of the sale.
 */
const effects = sql`
    effects (day, order_id, in_goods, in_suppliers, measure, amount) as materialized (
      select day, cause_id, true, false, 'orders', 1::bigint from moved where kind = 'purchase'
      union all
      select day, cause_id, true, false, case to_purse when 'sms_sales' then 'credits_spent' else 'sales' end, amount
      from moved where kind = 'purchase'
      union all
      select day, cause_id, true, true, case from_purse when 'sms_sales' then 'credits_returned' else 'refunds' end, amount
      from moved where kind in ('refund', 'sms_refund')
      union all
      select day, cause_id, true, true, 'commission_paid', amount from moved where kind = 'commission'
      union all
      select day, agreed.key::uuid, true, true, 'adjustments', case moved.to_purse when 'main' then moved.amount else -moved.amount end
      from moved join approvals as agreed on agreed.id = moved.cause_id and agreed.kind = 'order adjust'
      where moved.kind = 'adjustment'
      union all
      select day, order_id, true, true, case to_status when 'completed' then 'delivered' else 'failed' end, 1 from ended
      union all
      select ${dayOf(sql`debit.created_at`)}, ended.order_id, false, true, sale.measure, sale.amount
      from ended join transfers as debit on debit.cause_id = ended.order_id and debit.kind = 'purchase'
      cross join lateral (values ('orders', 1::bigint),
        (case debit.to_purse when 'sms_sales' then 'credits_spent' else 'sales' end, debit.amount)) as sale (measure, amount)
      union all
      select day, order_id, true, true, part.measure, part.amount
      from delivered cross join lateral (values ('wait_' || step, 1::bigint), ('commission_earned', commission), ('cost', cost),
        ('cost_estimated', case when is_estimate then cost end), ('cost_unknown', case when cost is null then 1 end)
      ) as part (measure, amount)
      where part.amount is not null
    )`

/** The orders of the effects, with everything by which reports group them. */
function describedOrders(products: readonly ProductFacts[]): RawBuilder<unknown> {
  return sql`
    described as materialized (
      select orders.id, orders.account_id, orders.kind as product,
        coalesce(orders.details ->> 'network', orders.details ->> 'biller', '') as network,
        coalesce(orders.details ->> products.package_field, '') as package,
        coalesce(orders.role, 'unknown') as role,
        coalesce((select supplier from attempts where order_id = orders.id order by attempt_no desc limit 1), 'none') as supplier
      from (select distinct order_id from effects) as touched
      join orders on orders.id = touched.order_id
      left join ${reportedProducts(products)} on products.name = orders.kind
    )`
}

const columns = [...measures, ...waitColumns]
const columnList = sql.raw(columns.join(', '))
const sums = sql.raw(
  columns.map((column) => `coalesce(sum(amount) filter (where measure = '${column}'), 0) as ${column}`).join(', '),
)
const additions = sql.raw(columns.map((column) => `${column} = daily_figures.${column} + excluded.${column}`).join(', '))

/**
 * Adds the rows of a span to the daily sums. Each row must be counted exactly once: the caller makes sure that spans do
 * not overlap, and stores in the same transaction how far it has come.
 */
export async function countFigures(tx: Tx, products: readonly ProductFacts[], span: Span): Promise<void> {
  await sql`
    with ${happenings(span, products)}, ${deliveries}, ${effects}, ${describedOrders(products)},
    cells as (
      select 'goods' as slice, day, product, network, package, role, '' as supplier, ${nobody}::uuid as account_id, ${sums}
      from effects join described on described.id = order_id where in_goods group by day, product, network, package, role
      union all
      select 'account', day, '', '', '', '', '', account_id, ${sums}
      from effects join described on described.id = order_id where in_goods group by day, account_id
      union all
      select 'supplier', day, '', '', '', '', supplier, ${nobody}::uuid, ${sums}
      from effects join described on described.id = order_id where in_suppliers group by day, supplier
    ), counted_purses as (
      insert into daily_purses (day, purse, moved_in, moved_out)
      select day, purse, coalesce(sum(amount) filter (where is_in), 0), coalesce(sum(amount) filter (where not is_in), 0)
      from (
        select day, to_purse as purse, amount, true as is_in from moved where to_entry_no is not null
        union all
        select day, from_purse, amount, false from moved where from_entry_no is not null
      ) as entries
      group by day, purse
      on conflict (day, purse) do update
      set moved_in = daily_purses.moved_in + excluded.moved_in, moved_out = daily_purses.moved_out + excluded.moved_out
    )
    insert into daily_figures (slice, day, product, network, package, role, supplier, account_id, ${columnList})
    select * from cells
    on conflict (slice, day, product, network, package, role, supplier, account_id) do update set ${additions}`.execute(tx)
}

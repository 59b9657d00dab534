import { type RawBuilder, sql } from 'kysely'
import type { TransferKind } from '../money/money.tables.ts'
import { orderById } from '../orders/order.ts'
import type { ProductFacts } from '../orders/product-facts.ts'
import type { Tx } from '../platform/database/database.ts'
import { rowsOf } from '../platform/database/rows-of.ts'
import { measures, waitColumns, waitLimitsSeconds } from './measures.ts'

/** Makes the SQL condition that selects the rows to count in the given table. */
export type Span = (table: 'transfers' | 'order_events') => RawBuilder<unknown>

/** Makes the condition that an id lies between the first and last of the counted rows: so only their partitions are read. */
type Named = (id: RawBuilder<unknown>) => RawBuilder<unknown>

const isEnd = sql`to_status in ('completed', 'failed', 'cancelled')`

/** @returns undefined when no row is to be counted */
async function readNamed(tx: Tx, span: Span): Promise<Named | undefined> {
  const { rows } = await sql<{ first: string | null; last: string }>`
    with counted as materialized (
      select cause_id as id from transfers where ${span('transfers')}
      union all
      select order_id from order_events where ${isEnd} and ${span('order_events')}
    ), named as materialized (
      select id from counted
      union all
      select agreed.key::uuid from counted join approvals as agreed on agreed.id = counted.id and agreed.kind = 'order adjust'
    )
    select (select id from named order by id limit 1) as first, (select id from named order by id desc limit 1) as last`.execute(
    tx,
  )
  const { first = null, last = null } = rows[0] ?? {}
  return first === null ? undefined : (id) => sql`${id} between ${first}::uuid and ${last}::uuid`
}

const dayOf = (moment: RawBuilder<unknown>) => sql`(${moment} at time zone 'Africa/Accra')::date`

/**
 * The first day whose sums may be counted again: the day after the last month that is put away. Null: no month is put away, so
 * any day may be counted again.
 */
export const keptUntil = sql`(select (max(month) + interval '1 month')::date from put_away_months)`

export const isStillCounted = (day: RawBuilder<unknown>) => sql`${day} >= coalesce(${keptUntil}, '-infinity')`

const nobody = '00000000-0000-0000-0000-000000000000'

/**
 * The product under which reports show a transfer without an order. Null: the transfer belongs to an order, or is neither a
 * sale nor a cost. The audit finds a transfer to or from `sales` without a product.
 */
const reportedWithoutOrder: Readonly<Record<TransferKind, string | null>> = {
  purchase: null,
  refund: null,
  commission: null,
  commission_move: null,
  credit: null,
  correction: null,
  adjustment: null,
  sms_credit: null,
  sms_refund: null,
  credits_paid: 'sms_credits',
  credits_bought: null,
  // Sells nothing; the fee of its gateway is a cost.
  top_up: 'top_ups',
}

/** The facts of products that reports need, as the table `products` of a statement. */
function reportedProducts(products: readonly ProductFacts[]): RawBuilder<unknown> {
  return rowsOf(products, {
    name: ['text', ({ name }) => name],
    package_field: ['text', ({ packageField }) => packageField ?? null],
    is_delivered_at_once: ['boolean', ({ fulfilledBy }) => fulfilledBy === 'stock'],
  }).as('products')
}

/**
 * Selects what happened in the span: transfers, and ends of orders. An order that the purchase itself delivers ends when its
 * wallet is debited.
 */
function happenings(span: Span, named: Named, products: readonly ProductFacts[]): RawBuilder<unknown> {
  return sql`
    moved as materialized (
      select cause_id, kind, account_id, from_purse, to_purse, from_entry_no, to_entry_no, amount, created_at, ${dayOf(sql`created_at`)} as day
      from transfers where ${span('transfers')} and ${named(sql`cause_id`)}
    ), ended as materialized (
      select order_id, to_status, created_at, ${dayOf(sql`created_at`)} as day
      from order_events where ${isEnd} and ${span('order_events')} and ${named(sql`order_id`)}
      union all
      select moved.cause_id, 'completed', moved.created_at, moved.day
      from moved cross join ${orderById(sql`moved.cause_id`, named(sql`id`))}
      join ${reportedProducts(products)} on products.name = orders.kind and products.is_delivered_at_once
      where moved.kind = 'purchase'
    )`
}

/**
 * The cost in force at a moment, per unit and in percent of the amount. The cost of the key `first` takes precedence over those
 * of the other keys.
 */
const costAt = (
  product: RawBuilder<unknown>,
  keys: RawBuilder<unknown>,
  first: RawBuilder<unknown>,
  moment: RawBuilder<unknown>,
) => sql`
  left join lateral (
    select pesewas, percent from unit_costs
    where unit_costs.product = ${product} and unit_costs.key in (${keys}) and valid_from <= ${moment}
    order by (unit_costs.key = ${first}) desc, valid_from desc, cost_no desc limit 1
  ) as rate on true`

/** The manually entered cost of delivered orders. Units without a known cost add nothing. */
function enteredCosts(named: Named, products: readonly ProductFacts[]): RawBuilder<unknown> {
  const used = products.flatMap(({ name, unitCost }) =>
    unitCost === undefined
      ? []
      : sql`
        select ended.order_id, ended.created_at, ${name}::text as product, used.key, used.other_key, used.units
        from ended cross join ${orderById(sql`ended.order_id`, named(sql`id`))}
        cross join lateral (${unitCost.units}) as used where ended.to_status = 'completed' and orders.kind = ${name}`,
  )
  const none = sql`select null::uuid as order_id, now() as created_at, '' as product, '' as key, '' as other_key, 0 as units where false`
  return sql`
    entered as materialized (
      select used.order_id, round(sum(used.units * rate.pesewas))::bigint as cost, bool_or(rate.pesewas is null) as is_unknown
      from (${sql.join([none, ...used], sql` union all `)}) as used
      ${costAt(sql`used.product`, sql`used.key, used.other_key`, sql`used.key`, sql`used.created_at`)}
      group by used.order_id
    )`
}

/**
 * The cost of each delivered order, as known when the order ended: the supplier's last report, else the attempt's expected
 * cost, else the manually entered one, less the commission that the supplier pays us.
 */
const deliveries = (named: Named) => sql`
    delivered as materialized (
      select ended.order_id, ended.day, earned.base as commission,
        coalesce(said.reported_cost, attempt.expected_cost, entered.cost) - coalesce(earned.base, 0) as cost,
        said.reported_cost is null and entered.cost is null as is_estimate, coalesce(entered.is_unknown, false) as is_partial,
        width_bucket(extract(epoch from ended.created_at - orders.created_at)::float8,
          ${sql.lit(`{${waitLimitsSeconds.join(',')}}`)}::float8[]) as step
      from ended
      cross join ${orderById(sql`ended.order_id`, named(sql`id`))}
      left join lateral (select base from order_commissions where order_id = ended.order_id and ${named(sql`order_id`)} offset 0) as earned on true
      left join entered on entered.order_id = ended.order_id
      left join lateral (
        select attempt_no, expected_cost from attempts
        where attempts.order_id = ended.order_id and ${named(sql`order_id`)} and outcome = 'delivered' order by attempt_no desc limit 1
      ) as attempt on true
      left join lateral (
        select reported_cost from attempt_answers
        where order_id = ended.order_id and ${named(sql`order_id`)} and attempt_no = attempt.attempt_no
          and reported_cost is not null and created_at <= ended.created_at
        order by answer_no desc limit 1
      ) as said on true
      where ended.to_status = 'completed'
    ),
    fees as materialized (
      select moved.day, moved.cause_id, round((paid.amount + paid.fee) * rate.percent / 100 + rate.pesewas)::bigint - paid.fee as cost
      from moved join top_ups as paid on paid.id = moved.cause_id and paid.way <> 'transfer'
      ${costAt(sql`'top_ups'`, sql`paid.way`, sql`paid.way`, sql`moved.created_at`)}
      where moved.kind = 'top_up'
    )`

/**
 * The amount that each event adds to each measure, on the day of the event. The supplier of a sale is known only when its order
 * ends. Only then is the sale added to the supplier's sums, on the day of the sale.
 */
const effects = (named: Named) => sql`
    all_effects (day, order_id, in_goods, in_suppliers, measure, amount) as materialized (
      select day, cause_id, true, false, 'orders', 1::bigint from moved where kind = 'purchase'
      union all
      select day, cause_id, true, kind <> 'purchase', case to_purse when 'sms_sales' then 'credits_spent' else 'sales' end, amount
      from moved where to_purse in ('sales', 'sms_sales')
      union all
      select day, cause_id, true, true, case from_purse when 'sms_sales' then 'credits_returned' else 'refunds' end, amount
      from moved where from_purse in ('sales', 'sms_sales')
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
      from ended
      cross join lateral (
        select created_at, to_purse, amount from transfers
        where cause_id = ended.order_id and ${named(sql`cause_id`)} and kind = 'purchase' offset 0
      ) as debit
      cross join lateral (values ('orders', 1::bigint),
        (case debit.to_purse when 'sms_sales' then 'credits_spent' else 'sales' end, debit.amount)) as sale (measure, amount)
      union all
      select day, order_id, true, true, part.measure, part.amount
      from delivered cross join lateral (values ('wait_' || step, 1::bigint), ('commission_earned', commission), ('cost', cost),
        ('cost_estimated', case when is_estimate then cost end), ('cost_unknown', case when cost is null or is_partial then 1 end)
      ) as part (measure, amount)
      where part.amount is not null
      union all
      select day, cause_id, true, true, part.measure, part.amount
      from fees cross join lateral (values ('cost', cost), ('cost_unknown', case when cost is null then 1 end)) as part (measure, amount)
      where part.amount is not null
    )`

/**
 * The orders that the counted rows are about, and the transfers that reports show without an order, each with every field
 * by which reports group.
 */
function describedOrders(named: Named, products: readonly ProductFacts[]): RawBuilder<unknown> {
  return sql`
    described as materialized (
      select orders.id, orders.account_id, orders.kind as product,
        coalesce(orders.details ->> 'network', orders.details ->> 'biller', '') as network,
        coalesce(orders.details ->> products.package_field, '') as package,
        coalesce(orders.role, 'unknown') as role,
        coalesce((select supplier from attempts
          where order_id = orders.id and ${named(sql`order_id`)} order by attempt_no desc limit 1), 'none') as supplier
      from (select distinct order_id from all_effects) as touched
      cross join ${orderById(sql`touched.order_id`, named(sql`id`))}
      left join ${reportedProducts(products)} on products.name = orders.kind
      union all
      select distinct moved.cause_id, moved.account_id, names.product, '', '', 'none',
        coalesce((select way from top_ups where top_ups.id = moved.cause_id), 'none')
      from moved join ${rowsOf(Object.entries(reportedWithoutOrder), {
        kind: ['text', ([kind]) => kind],
        product: ['text', ([, product]) => product],
      }).as('names')} on names.kind = moved.kind and names.product is not null
    )`
}

const columns = [...measures, ...waitColumns]
const columnList = sql.raw(columns.join(', '))
const sums = sql.raw(
  columns.map((column) => `coalesce(sum(amount) filter (where measure = '${column}'), 0) as ${column}`).join(', '),
)
/** Measures that change when somebody later enters a cost. */
const costMeasures = ['cost', 'cost_estimated', 'cost_unknown'] as const

const additions = sql.raw(columns.map((column) => `${column} = daily_figures.${column} + excluded.${column}`).join(', '))

/** The sums per day and purse that came into and went out of the wallets of all accounts. */
const countedPurses = sql`
    counted_purses as (
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
    ),`

/** Adds the rows of a span to the daily sums: all measures, or only costs. */
async function addFigures(tx: Tx, products: readonly ProductFacts[], span: Span, what: 'all' | 'costs'): Promise<void> {
  const named = await readNamed(tx, span)
  if (named === undefined) return
  const counted = what === 'all' ? sql`` : sql`and measure in (${sql.join(costMeasures.map((measure) => sql.lit(measure)))})`
  await sql`
    with ${happenings(span, named, products)}, ${enteredCosts(named, products)}, ${deliveries(named)}, ${effects(named)},
    ${describedOrders(named, products)},
    effects as (select * from all_effects where ${isStillCounted(sql`day`)} ${counted}), ${what === 'all' ? countedPurses : sql``}
    cells as (
      select 'goods' as slice, day, product, network, package, role, '' as supplier, ${nobody}::uuid as account_id, ${sums}
      from effects join described on described.id = order_id where in_goods group by day, product, network, package, role
      union all
      select 'account', day, '', '', '', '', '', account_id, ${sums}
      from effects join described on described.id = order_id where in_goods group by day, account_id
      union all
      select 'supplier', day, '', '', '', '', supplier, ${nobody}::uuid, ${sums}
      from effects join described on described.id = order_id where in_suppliers group by day, supplier
    )
    insert into daily_figures (slice, day, product, network, package, role, supplier, account_id, ${columnList})
    select * from cells
    on conflict (slice, day, product, network, package, role, supplier, account_id) do update set ${additions}`.execute(tx)
}

/**
 * Adds the rows of a span to the daily sums. Each row must be counted exactly once: the caller makes sure that spans do
 * not overlap, and stores in the same transaction how far it has come.
 */
export function countFigures(tx: Tx, products: readonly ProductFacts[], span: Span): Promise<void> {
  return addFigures(tx, products, span, 'all')
}

/** Counts the costs of a day again, from the rows of the span, which must be exactly those that were counted for the day. */
export async function recountCosts(tx: Tx, products: readonly ProductFacts[], day: string, span: Span): Promise<void> {
  await sql`
    update daily_figures set ${sql.raw(costMeasures.map((measure) => `${measure} = 0`).join(', '))}
    where day = ${day}::date and (${sql.raw(costMeasures.map((measure) => `${measure} <> 0`).join(' or '))})`.execute(tx)
  await addFigures(tx, products, span, 'costs')
}

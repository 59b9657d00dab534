import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { createPartitions } from '../../platform/partitions/partitions.ts'

/** Seconds between two placed orders: the oldest of a million is 405 days old. */
const secondsApart = 35

/** This many of the newest orders are still open. */
const openCount = 3_000

/** An id made from a number; ids have the same order as their numbers. */
export const numbered = (no: number) => `00000000-0000-7000-8000-${String(no).padStart(12, '0')}`

/** An account with a tenth of all orders; each of the other 999 has a thousandth. */
export const largeAccountId = numbered(1)
export const smallAccountId = numbered(500)

/** A network that was sold only at the beginning, so that a search from the newest order finds it last. */
export const oldNetwork = 'AT-BigTime'
export const oldSupplier = 'formersupplier'

const id = sql`(lpad(to_hex(placed.ms), 12, '0') || '70008' || lpad(to_hex(placed.n), 15, '0'))::uuid`
const accountOf = sql`('00000000-0000-7000-8000-' ||
  lpad((case when placed.n % 10 = 3 then 1 else 2 + placed.n * 7919 % 999 end)::text, 12, '0'))::uuid`
const kindOf = sql`case when share < 800 then 'data' when share < 950 then 'airtime' when share < 980 then 'utilities'
  when share < 990 then 'results_checker' when share < 995 then 'afa' else 'sms' end`
const networkOf = sql`case when placed.n <= 500 then ${sql.lit(oldNetwork)} when placed.n % 10 < 7 then 'MTN'
  when placed.n % 10 < 9 then 'Telecel' else 'AT-iShare' end`
const statusOf = (count: number) => sql`case
  when placed.n > ${sql.lit(count - openCount)} then (array['pending', 'processing', 'queued'])[1 + placed.n % 3]
  when share = 992 then 'cancelled'
  when placed.n % 50 = 7 then 'refunded'
  when placed.n % 10007 = 0 then 'failed'
  else 'completed' end`

/**
 * Fills the tables that lists read with many orders, a million in 13 months, made by the database alone. The rows are not
 * exactly those that the intake would write. But there are as many, they are as long and in the same order, and each value has
 * the same share.
 */
export async function makeManyOrders(owner: Db, count: number): Promise<void> {
  await createPartitions(owner, new Date(Date.now() - count * secondsApart * 1_000))
  // These tables need not survive a crash, and building an index at the end is faster than filling it row by row. All are
  // analysed below. An autovacuum of so many new rows would take seconds, and a test has no right to cancel it.
  const { rows: tables } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relkind = 'r' and relname ~ '^(orders|attempts|order_events)(_\\d{4}_\\d\\d)?$' or relname = 'open_orders'`.execute(
    owner,
  )
  for (const { name } of tables)
    await sql`alter table ${sql.table(name)} set unlogged, set (autovacuum_enabled = off)`.execute(owner)
  const { rows: indexes } = await sql<{ name: string; definition: string }>`
    select indexname as name, indexdef as definition from pg_indexes
    where tablename in ('orders', 'attempts') and indexname not in (select conname from pg_constraint)`.execute(owner)
  for (const { name } of indexes) await sql`drop index ${sql.id(name)}`.execute(owner)
  await fillTables(owner, count)
  for (const { definition } of indexes) await sql.raw(definition.replace(' ON ONLY ', ' ON ')).execute(owner)
  await sql`analyze accounts, orders, attempts, order_events, open_orders`.execute(owner)
}

async function fillTables(owner: Db, count: number): Promise<void> {
  await sql`
    insert into accounts (id, email, name, role)
    select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'shop-' || n || '@example.test', 'Shop ' || n, 'agent'
    from generate_series(1, 1000) as n`.execute(owner)
  await sql`
    insert into orders (id, account_id, kind, reference, status, price, recipient, details, created_at, updated_at)
    select ${id}, ${accountOf}, ${kindOf}, 'order-' || placed.n, ${statusOf(count)}, 450,
      '024' || lpad((placed.n * 7919 % 200000)::text, 7, '0'),
      case when share < 950 then jsonb_build_object('network', ${networkOf}, 'size', '1GB')
        when share < 980 then jsonb_build_object('biller', (array['ecg', 'dstv', 'gotv'])[1 + placed.n % 3])
        else '{}' end,
      placed.at, placed.at
    from (
      select n, at, (extract(epoch from at) * 1000)::bigint as ms, n * 7907 % 1000 as share
      from generate_series(1::bigint, ${sql.lit(count)}) as n,
        lateral (select date_trunc('second', now()) - (${sql.lit(count)} - n) * make_interval(secs => ${sql.lit(secondsApart)})) as time (at)
    ) as placed`.execute(owner)
  await sql`
    insert into attempts (order_id, attempt_no, supplier, outgoing_reference, send_before, outcome, expected_cost)
    select id, 1,
      case when kind <> 'data' then 'hubtel' when row_number() over () <= 20000 then ${sql.lit(oldSupplier)}
        when price % 5 < 3 and substring(recipient from 10) < '6' then 'datamart' else 'datakazina' end,
      'out-' || reference, created_at, 'delivered', 400
    from (select * from orders where kind in ('data', 'airtime', 'utilities') and status not in ('pending', 'queued')
      order by id) as sent`.execute(owner)
  await sql`
    insert into order_events (order_id, from_status, to_status, actor)
    select id, 'processing', case when status = 'cancelled' then 'cancelled' else 'failed' end, 'worker'
    from orders where status in ('failed', 'refunded', 'cancelled') order by id`.execute(owner)
  await sql`
    insert into order_events (order_id, from_status, to_status, actor)
    select id, 'failed', 'refunded', 'worker' from orders where status = 'refunded' order by id`.execute(owner)
  await sql`
    insert into open_orders (order_id, route, next_step_at, hold_reason)
    select id, 'datamart/data/MTN', now() + interval '1 hour', case when substring(recipient from 9) < '01' then 'cannot_ask' end
    from orders where status in ('pending', 'processing', 'queued')`.execute(owner)
}

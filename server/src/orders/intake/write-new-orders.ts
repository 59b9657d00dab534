import { sql } from 'kysely'
import { buildLedgerWrite } from '../../money/write-transfers.ts'
import type { Tx } from '../../platform/database/database.ts'
import { ownLoopRoutePattern } from '../own-loop-route.ts'
import { peoplesRoutePattern } from '../peoples-route.ts'
import type { NewOrder } from './decide-calls.ts'

/** The debits of the new orders, from the rows that the statement has at hand. */
const debitRows = sql`
  select order_id, 'purchase', account_id, from_purse, to_purse, price, entry_no, null::bigint, balance_after, null::bigint, null
  from new_orders`

/**
 * Writes accepted orders with their places in the schedule and their debits, in one statement. The
 * paying wallets must be locked by this transaction.
 *
 * @param now when they were decided, by the database's clock
 */
export async function writeNewOrders(tx: Tx, newOrders: readonly NewOrder[], now: Date): Promise<void> {
  if (newOrders.length === 0) return
  const orders = newOrders.map((newOrder) => newOrder.order)
  const debits = newOrders.map((newOrder) => newOrder.debit)
  const ledger = buildLedgerWrite(debits, debitRows)
  const { rows } = await sql<{ changed: number }>`
    with new_orders as materialized (
      select * from unnest(
        ${orders.map((order) => order.id)}::uuid[],
        ${orders.map((order) => order.accountId)}::uuid[],
        ${orders.map((order) => order.kind)}::text[],
        ${orders.map((order) => order.reference)}::text[],
        ${orders.map((order) => order.status)}::text[],
        ${orders.map((order) => order.price)}::bigint[],
        ${orders.map((order) => order.recipient)}::text[],
        ${orders.map((order) => order.source)}::text[],
        ${orders.map((order) => JSON.stringify(order.details))}::text[],
        ${newOrders.map((newOrder) => newOrder.route ?? null)}::text[],
        ${debits.map((debit) => debit.fromPurse)}::text[],
        ${debits.map((debit) => debit.toPurse)}::text[],
        ${debits.map((debit) => debit.fromEntryNo)}::bigint[],
        ${debits.map((debit) => debit.fromBalanceAfter)}::bigint[])
        as new_order (order_id, account_id, kind, reference, status, price, recipient, source, details, route,
          from_purse, to_purse, entry_no, balance_after)
    ), born as (
      insert into orders (id, account_id, kind, reference, status, price, recipient, source, details, created_at, updated_at)
      select order_id, account_id, kind, reference, status, price, recipient, source, details::jsonb, ${now}, ${now} from new_orders
    ), scheduled as (
      insert into open_orders (order_id, route, next_step_at, hold_reason)
      select order_id, route,
        case when route like ${peoplesRoutePattern} or route like ${ownLoopRoutePattern} then 'infinity' else clock_timestamp() end,
        case when status = 'queued' then 'not_registered' end
      from new_orders
      where route is not null
    ), ${ledger.expressions}
    select count(*) as changed from changed`.execute(tx)
  ledger.check(rows[0]?.changed)
}

import { sql } from 'kysely'
import { buildLedgerWrite } from '../../../money/write-transfers.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { rowsOf } from '../../../platform/database/rows-of.ts'
import type { OrderItem } from '../../order-kind.ts'
import { manualRoutePattern, ownLoopRoutePattern } from '../../routes-without-suppliers.ts'
import type { NewOrder } from '../decide-calls.ts'
import { ownKeys } from './open-batch.ts'

/** The debits of the new orders, made from the same rows in the same statement. */
const debitRows = sql`
  (cause_id, kind, account_id, from_purse, to_purse, amount, from_entry_no, from_balance_after)
  select order_id, 'purchase', account_id, from_purse, to_purse, price, entry_no, balance_after from new_orders`

/**
 * Writes accepted orders with their rows in the schedule and their debits, in one statement. The paying wallets must be locked
 * by this transaction.
 *
 * @param now the moment of the decision, by the database's clock
 */
export async function writeNewOrders(tx: Tx, newOrders: readonly NewOrder[], now: Date): Promise<void> {
  if (newOrders.length === 0) return
  const debits = newOrders.map((newOrder) => newOrder.debit)
  const ledger = buildLedgerWrite(debits, debitRows)
  const { rows } = await sql<{ changed: number }>`
    with new_orders as materialized (
      select * from ${rowsOf(newOrders, {
        order_id: ['uuid', ({ order }) => order.id],
        account_id: ['uuid', ({ order }) => order.accountId],
        kind: ['text', ({ order }) => order.kind],
        reference: ['text', ({ order }) => order.reference],
        status: ['text', ({ order }) => order.status],
        price: ['bigint', ({ order }) => order.price],
        recipient: ['text', ({ order }) => order.recipient],
        source: ['text', ({ order }) => order.source],
        details: ['text', ({ order }) => JSON.stringify(order.details)],
        route: ['text', ({ route }) => route ?? null],
        role: ['text', ({ role }) => role],
        from_purse: ['text', ({ debit }) => debit.fromPurse],
        to_purse: ['text', ({ debit }) => debit.toPurse],
        entry_no: ['bigint', ({ debit }) => debit.fromEntryNo],
        balance_after: ['bigint', ({ debit }) => debit.fromBalanceAfter],
      }).as('new_order')}
    ), placed as (
      insert into orders (id, account_id, kind, reference, status, price, recipient, source, details, role, created_at, updated_at)
      select order_id, account_id, kind, reference, status, price, recipient, source, details::jsonb, role, ${now}, ${now}
      from new_orders
    ), scheduled as (
      insert into open_orders (order_id, route, next_step_at, hold_reason)
      select order_id, route,
        case when route like ${manualRoutePattern} or route like ${ownLoopRoutePattern} then 'infinity' else clock_timestamp() end,
        case when status = 'queued' then 'not_registered' end
      from new_orders
      where route is not null
    ), ${ledger.expressions}
    select count(*) as changed from changed`.execute(tx)
  ledger.check(rows[0]?.changed)
}

/**
 * Writes the references that are unique only within their account. The wallet's lock keeps a second order from the same
 * reference; the table's primary key would refuse it, too.
 */
export async function writeAccountReferences(tx: Tx, accepted: readonly OrderItem[]): Promise<void> {
  const taken = ownKeys(accepted)
  if (taken.length === 0) return
  await sql`
    insert into account_references (account_id, service, reference, order_id, kind, fingerprint)
    select account_id, service, reference, order_id, kind, decode(fingerprint, 'hex')
    from ${rowsOf(taken, {
      account_id: ['uuid', ({ item }) => item.accountId],
      service: ['text', ({ key }) => key.service],
      reference: ['text', ({ key }) => key.reference],
      order_id: ['uuid', ({ item }) => item.orderId],
      kind: ['text', ({ item }) => item.kind],
      fingerprint: ['text', ({ item }) => item.fingerprint],
    }).as('taken')}`.execute(tx)
}

/** Records which orders persons placed in the dashboard. Runs no statement when all orders are of programs. */
export async function writePurchasers(tx: Tx, items: readonly OrderItem[]): Promise<void> {
  const theirs = items.flatMap(({ orderId, personId }) => (personId === undefined ? [] : [{ orderId, personId }]))
  if (theirs.length === 0) return
  await sql`
    insert into orders_of_persons ${rowsOf(theirs, {
      order_id: ['uuid', ({ orderId }) => orderId],
      person_id: ['uuid', ({ personId }) => personId],
    }).forInsert()}`.execute(tx)
}

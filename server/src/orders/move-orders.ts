import { sql } from 'kysely'
import type { Tx } from '../platform/database/database.ts'
import { isLegalMove, type OrderStatus } from './order-life-cycle.ts'

/** One order that is to move, and why in a few words for the operator. */
export type OrderMove = { readonly orderId: string; readonly reason: string | null }

/**
 * Moves orders from one state to another, those that are still in the first, and writes the moves into
 * their history. The guard in the statement decides races: an order moves once.
 *
 * @returns the ids of the orders that moved now
 * @throws when the life cycle has no such move
 */
export async function moveOrders(
  tx: Tx,
  from: OrderStatus,
  to: OrderStatus,
  actor: string,
  moves: readonly OrderMove[],
): Promise<string[]> {
  if (!isLegalMove(from, to)) throw new Error(`no order moves from ${from} to ${to}`)
  if (moves.length === 0) return []
  const { rows } = await sql<{ order_id: string }>`
    with moved as (
      update orders set status = ${to}, updated_at = clock_timestamp()
      from unnest(
        ${moves.map((move) => move.orderId)}::uuid[],
        ${moves.map((move) => move.reason)}::text[]) as move (order_id, reason)
      where orders.id = move.order_id and orders.status = ${from}
      returning orders.id, move.reason
    ), written as (
      insert into order_events (order_id, from_status, to_status, reason, actor)
      select id, ${from}, ${to}, reason, ${actor} from moved
    )
    select id as order_id from moved`.execute(tx)
  return rows.map((row) => row.order_id)
}

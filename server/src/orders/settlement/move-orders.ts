import { sql } from 'kysely'
import type { Tx } from '../../platform/database/database.ts'
import { rowsOf } from '../../platform/database/rows-of.ts'
import { isLegalMove, type OrderStatus } from '../order-life-cycle.ts'

/** An order to move, and the reason in a few words for the operator. */
type OrderMove = { readonly orderId: string; readonly reason: string | null }

type Step = { readonly from: OrderStatus; readonly to: OrderStatus; readonly actor: string }

/**
 * Writes moves that the caller has checked: one statement changes the orders' status and writes their history. An order that is
 * no longer in the state `from` does not change, so it moves only once.
 * @returns the ids of the orders that moved now
 */
export async function writeMoves(tx: Tx, { from, to, actor }: Step, moves: readonly OrderMove[]): Promise<string[]> {
  if (moves.length === 0) return []
  const { rows } = await sql<{ order_id: string }>`
    with moved as (
      update orders set status = ${to}, updated_at = clock_timestamp()
      from ${rowsOf(moves, {
        order_id: ['uuid', (move) => move.orderId],
        reason: ['text', (move) => move.reason],
      }).as('move')}
      where orders.id = move.order_id and orders.status = ${from}
      returning orders.id, move.reason
    ), written as (
      insert into order_events (order_id, from_status, to_status, reason, actor)
      select id, ${from}, ${to}, reason, ${actor} from moved
    )
    select id as order_id from moved`.execute(tx)
  return rows.map((row) => row.order_id)
}

/**
 * Writes moves as `writeMoves` does, after a check that the life cycle allows them.
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
  return writeMoves(tx, { from, to, actor }, moves)
}

import type { Tx } from '../../platform/database/database.ts'
import { isLegalMove, type OrderStatus } from '../order-life-cycle.ts'
import { type OrderMove, writeMoves } from './write-moves.ts'

export type { OrderMove } from './write-moves.ts'

/**
 * Moves orders from one state to another and writes the moves into their history. An order that is no longer in the first
 * state does not change: that guard decides races, so an order moves once.
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

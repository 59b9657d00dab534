/** Every state an order of any product can be in (contract, States and transitions). */
export type OrderStatus = 'queued' | 'pending' | 'processing' | 'completed' | 'failed' | 'refunded' | 'cancelled'

/**
 * The only moves there are. `queued` and `pending` may fail without having been sent, by an operator
 * or a deadline; once sent, an order fails on proof only. `cancelled` is how an AFA registration ends.
 */
export const orderMoves: Readonly<Record<OrderStatus, readonly OrderStatus[]>> = {
  queued: ['pending', 'failed'],
  pending: ['processing', 'queued', 'failed'],
  processing: ['completed', 'failed', 'cancelled', 'queued'],
  failed: ['refunded'],
  completed: [],
  refunded: [],
  cancelled: [],
}

/** Whether an order may move from one state straight to another. */
export function isLegalMove(from: OrderStatus, to: OrderStatus): boolean {
  return orderMoves[from].includes(to)
}

/** States in which nothing more happens by itself: no row in `open_orders`. A failed order may still be refunded. */
export function isEnded(status: OrderStatus): boolean {
  return status === 'completed' || status === 'failed' || status === 'refunded' || status === 'cancelled'
}

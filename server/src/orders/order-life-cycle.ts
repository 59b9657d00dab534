/** Every state an order of any product can be in (contract, States and transitions). */
export const orderStatuses = ['queued', 'pending', 'processing', 'completed', 'failed', 'refunded', 'cancelled'] as const
export type OrderStatus = (typeof orderStatuses)[number]

/**
 * The moves that an order of any kind may make; two people can make those of `ManualMove`, too. No status goes back: the
 * reason for a wait is a hold reason beside the status (decision S14). An operator or a deadline can fail a `queued` or
 * `pending` order before its send. After a send, only proof can fail it. Only an AFA order becomes `cancelled`.
 */
export const orderMoves: Readonly<Record<OrderStatus, readonly OrderStatus[]>> = {
  queued: ['pending', 'failed'],
  pending: ['processing', 'failed'],
  processing: ['completed', 'failed', 'cancelled'],
  failed: ['refunded'],
  completed: [],
  refunded: [],
  cancelled: [],
}

/** A move that no process may make, but two people together may, for orders of some products. */
export type ManualMove = { readonly from: OrderStatus; readonly to: OrderStatus }

export function isLegalMove(from: OrderStatus, to: OrderStatus): boolean {
  return orderMoves[from].includes(to)
}

export function isManualMove(
  { peoplesMoves }: { readonly peoplesMoves: readonly ManualMove[] },
  from: OrderStatus,
  to: OrderStatus,
): boolean {
  return peoplesMoves.some((move) => move.from === from && move.to === to)
}

/**
 * True in states in which no process does anything more, so there is no row in `open_orders`. A failed order may still be
 * refunded.
 */
export function isEnded(status: OrderStatus): boolean {
  return status === 'completed' || status === 'failed' || status === 'refunded' || status === 'cancelled'
}

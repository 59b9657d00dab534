/** Every state an order of any product can be in (contract, States and transitions). */
export type OrderStatus = 'queued' | 'pending' | 'processing' | 'completed' | 'failed' | 'refunded' | 'cancelled'

/**
 * The moves that an order of any kind may make; two people can make those of `PeoplesMove`, too. None leads back: what a
 * placed order waits for is a hold reason beside its status (decision S14). `queued` and `pending` orders may fail without having been sent, by an operator or a
 * deadline. Once an order was sent, only proof lets it fail. Only an AFA order becomes `cancelled`.
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

/** A move that two people make together over an order of some product, and no process ever makes. */
export type PeoplesMove = { readonly from: OrderStatus; readonly to: OrderStatus }

/** Whether an order may move from one state straight to another. */
export function isLegalMove(from: OrderStatus, to: OrderStatus): boolean {
  return orderMoves[from].includes(to)
}

/** Whether two people may move an order of this product from one state straight to another, where no process may. */
export function isPeoplesMove(
  { peoplesMoves }: { readonly peoplesMoves: readonly PeoplesMove[] },
  from: OrderStatus,
  to: OrderStatus,
): boolean {
  return peoplesMoves.some((move) => move.from === from && move.to === to)
}

/** States in which no process does anything more, so there is no row in `open_orders`. A failed order may still be refunded. */
export function isEnded(status: OrderStatus): boolean {
  return status === 'completed' || status === 'failed' || status === 'refunded' || status === 'cancelled'
}

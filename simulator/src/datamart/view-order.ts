import { formatOrderCode, type SimulatedOrder } from '../stand-in/open-order-book.ts'

/** DataMart's code of an order is `DM-00000001`. */
export const dataMartCodePrefix = 'DM'

export type OrderView = {
  readonly ref: string
  readonly orderReference: string
  readonly phoneNumber: string
  readonly network: string
  readonly capacity: string
  readonly price: number
  readonly orderStatus: string
  readonly reason?: string
  readonly createdAt: string
  readonly updatedAt: string
}

/** The order as the supplier's API shows it. The status of an open order depends on `now` (milliseconds since 1970). */
export function viewOrder(order: SimulatedOrder, now: number): OrderView {
  return {
    ref: order.ref,
    orderReference: formatOrderCode(dataMartCodePrefix, order.sequence),
    phoneNumber: order.phoneNumber,
    network: order.network,
    capacity: String(order.capacity),
    price: order.costPesewas / 100,
    orderStatus: order.status === 'open' ? statusOnTheWay(order, now) : order.status,
    ...(order.status === 'failed' ? { reason: 'The network did not deliver the bundle.' } : {}),
    createdAt: new Date(order.createdAt).toISOString(),
    updatedAt: new Date(order.updatedAt).toISOString(),
  }
}

/**
 * `pending`, `waiting` and `processing`, each for a third of the order's time. An order that is `delivered_late` or
 * `unreadable` stays `pending` until it ends.
 */
function statusOnTheWay(order: SimulatedOrder, now: number): 'pending' | 'waiting' | 'processing' {
  if (order.outcome === 'delivered_late' || order.outcome === 'unreadable') return 'pending'
  const share = (now - order.createdAt) / (order.finishesAt - order.createdAt)
  return share < 1 / 3 ? 'pending' : share < 2 / 3 ? 'waiting' : 'processing'
}

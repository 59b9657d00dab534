import { formatOrderCode, type SimulatedOrder } from '../stand-in/open-order-book.ts'
import { megabytesPerGigabyte } from './read-purchase.ts'

/** DataKazina's transaction code of an order is `DK-00000001`. */
export const dataKazinaCodePrefix = 'DK'

export type OrderView = {
  readonly transaction_code: string
  readonly incoming_api_ref: string
  readonly recipient_msisdn: string
  readonly network_id: number
  readonly shared_bundle: number
  readonly status: 'pending' | 'processing' | 'delivered' | 'failed'
  /** GHS with four decimals. */
  readonly amount: string
}

const finalWords = { completed: 'delivered', failed: 'failed', refunded: 'failed' } as const

/** The order as the supplier's API shows it. The status of an open order depends on `now` (milliseconds since 1970). */
export function viewOrder(order: SimulatedOrder, now: number): OrderView {
  return {
    transaction_code: formatOrderCode(dataKazinaCodePrefix, order.sequence),
    incoming_api_ref: order.ref,
    recipient_msisdn: order.phoneNumber,
    network_id: Number(order.network),
    shared_bundle: order.capacity * megabytesPerGigabyte,
    status: order.status === 'open' ? statusOnTheWay(order, now) : finalWords[order.status],
    amount: (order.costPesewas / 100).toFixed(4),
  }
}

/**
 * `pending` during the first half of the order's time, then `processing`. An order that is `delivered_late` or `unreadable`
 * stays `pending` until it ends.
 */
function statusOnTheWay(order: SimulatedOrder, now: number): 'pending' | 'processing' {
  if (order.outcome === 'delivered_late' || order.outcome === 'unreadable') return 'pending'
  return (now - order.createdAt) * 2 < order.finishesAt - order.createdAt ? 'pending' : 'processing'
}
